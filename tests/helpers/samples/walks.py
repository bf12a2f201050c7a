"""Walks of the logic solver, and puzzles to walk through."""

import math

import numpy as np

from helpers.oracles.logic import Marks
from nando.puzzles import Sudoku
from nando.solvers.exact.search import count_solutions, solve, unique_solution
from nando.solvers.logic.finders.finding import step_of as read_step
from nando.solvers.logic.house_walk import HouseWalker
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.solver import LogicSolver


def walk(puzzle, solver=None):
    """Yield each step with the state before it."""
    solver = solver or LogicSolver()
    walker = HouseWalker(solver.ladder, solver.nested)
    for board, rung in walker.boards(PencilMarks.of(puzzle)):
        yield board.state, board.read(solver.ladder[rung])


def step_of(technique, finding):
    """Return the step on a Sudoku that a kernel recorded."""
    n_cells = finding.lists.shape[1] // 4
    return read_step(technique, finding, math.isqrt(n_cells), range(n_cells))


def marks_of(state):
    size = round(len(state.values) ** 0.5)
    return Marks([{d + 1 for d in range(size) if m >> d & 1} for m in state.candidates.tolist()])


def assert_sound(puzzle, solver=None):
    """Assert that no step is wrong; return True if the steps solve the puzzle."""
    solution = unique_solution(puzzle)
    n_blanks = puzzle.givens.size - puzzle.n_givens
    for _, step in walk(puzzle, solver):
        n_blanks -= step.placement is not None
        assert step.placement or step.eliminations
        assert step.placement is None or solution[step.placement[0]] == step.placement[1]
        assert all(solution[cell] != digit for cell, digit in step.eliminations), step
    return n_blanks == 0


def dug(order, n_givens, seed):
    """Return a puzzle of an order with one solution and about `n_givens` givens."""
    rng = np.random.default_rng(seed)
    blank = Sudoku.from_values(np.zeros(order**4, np.int8))
    values = Sudoku.from_values(solve(blank)).shuffled(rng).givens.copy()
    for cell in rng.permutation(values.size)[: values.size - n_givens]:
        digit, values[cell] = values[cell], 0
        if count_solutions(Sudoku.from_values(values)) != 1:
            values[cell] = digit
    return Sudoku.from_values(values)
