"""OR-Tools CP-SAT on the constraints of a variant; for tests and benchmarks."""

from typing import Any

from nando.puzzles import Variant
from nando.puzzles.boards.constraints import AllDifferent, Candidates, Pattern, Relation, Sum


def model_of(puzzle: Variant) -> tuple[Any, list[Any]]:
    """Return a model of a variant, and the variable of each cell of its board."""
    from ortools.sat.python import cp_model

    model, n = cp_model.CpModel(), puzzle.size
    cells = {}
    for cell, place in zip(puzzle.board.cells, puzzle.places, strict=True):
        value = int(puzzle.givens[place])
        cells[cell] = model.new_int_var(value or 1, value or n, str(cell))
    for _, constraint in puzzle.constraints:
        match constraint:
            case AllDifferent(members):
                model.add_all_different([cells[cell] for cell in members])
            case Sum(members, total, weights):
                weighted = zip(weights or (1,) * len(members), members, strict=True)
                model.add(sum(weight * cells[cell] for weight, cell in weighted) == total)
            case Relation(first, second, allowed):
                pairs = [
                    (a + 1, b + 1)
                    for a, mask in enumerate(allowed)
                    for b in range(n)
                    if mask >> b & 1
                ]
                model.add_allowed_assignments([cells[first], cells[second]], pairs)
            case Pattern(members, automaton):
                moves = [
                    (state, digit, end)
                    for state, row in enumerate(automaton.moves)
                    for digit, end in enumerate(row, 1)
                    if end >= 0
                ]
                model.add_automaton(
                    [cells[cell] for cell in members], 0, sorted(automaton.accepting), moves
                )
            case Candidates(cell, mask):
                digits = [digit for digit in range(1, n + 1) if mask >> digit - 1 & 1]
                model.add_allowed_assignments([cells[cell]], [(digit,) for digit in digits])
    return model, list(cells.values())


def first_solutions(puzzle: Variant, model: Any, cells: list[Any], limit: int = 2) -> list[Any]:
    """Return up to `limit` solutions of the model of a variant, found on one core.

    Solutions are enumerated, except with patterns: enumeration would repeat a solution for the
    variables of automata, so each solution is forbidden before the next search.
    """
    from ortools.sat.python import cp_model

    solutions: list[list[int]] = []

    class Keep(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            solutions.append([self.value(cell) for cell in cells])
            if len(solutions) == limit:
                self.stop_search()

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if not any(isinstance(own, Pattern) for _, own in puzzle.constraints):
        solver.parameters.enumerate_all_solutions = True
        solver.solve(model, Keep())
        return solutions
    while len(solutions) < limit and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        solutions.append([solver.value(cell) for cell in cells])
        model.add_forbidden_assignments(cells, [solutions[-1]])
    return solutions
