"""Compare the names that nando and HoDoKu give to the same steps.

    pip install hodoku-py
    python benchmarks/step_names.py [PUZZLES]

At positions on the walks of published puzzles, every step that nando lists and names as HoDoKu
would is looked for among the steps of that name that hodoku-py, a port of HoDoKu 2.2, finds there;
it is found where one of them removes all that nando's step does. What nando finds as a chain
without a name of its own, HoDoKu tells in other chains; such steps are not compared.
"""

import sys
from collections import Counter

from nando.datasets import fetch_sudoku_exchange
from nando.puzzles import Sudoku
from nando.solvers.logic import SUKAKU_EXPLAINER, PencilMarks, walk_through
from nando.solvers.logic.sudoku.every import every_step
from nando.solvers.logic.wording.families import family_of
from nando.solvers.logic.wording.styles import NAMES

LADDER = tuple(t for t in SUKAKU_EXPLAINER if t.rating < 8.5)
CHAINS = {"AIC", "nice loop", "X-cycle", "Y-cycle", "XY-cycle", "nishio"}
GROUPED = {"grouped X-chain", "grouped X-cycle"}


class Hodoku:
    """The steps that hodoku-py finds on some pencil marks, by name."""

    def __init__(self, marks: PencilMarks) -> None:
        from hodoku.core.grid import Grid

        digits = "".join(map(str, marks.values.tolist()))
        self.grid = Grid()
        self.grid.set_sudoku(digits)
        full = PencilMarks.of(Sudoku(digits.replace("0", ".")))
        for cell in range(81):
            for digit in set(full.digits(cell)) - set(marks.digits(cell)):
                self.grid.del_candidate(cell, digit)
        self._found: dict[str, list[set[tuple[int, int]]]] = {}

    def removed_by(self, name: str) -> list[set[tuple[int, int]]]:
        """What each step of a name removes."""
        from hodoku.config import DEFAULT_CONFIG
        from hodoku.core.types import SolutionType
        from hodoku.solver.step_finder import SudokuStepFinder

        if name not in self._found:
            finder = SudokuStepFinder(self.grid.clone(), DEFAULT_CONFIG.find_all_search)
            self._found[name] = [
                {(candidate.index, candidate.value) for candidate in step.candidates_to_delete}
                for step in finder.find_all(SolutionType(name))
            ]
        return self._found[name]


def main() -> None:
    """Compare, and print how often the names agree."""
    n_puzzles = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    puzzles = fetch_sudoku_exchange(bucket="sample").puzzles
    chosen = puzzles[:: max(1, len(puzzles) // n_puzzles)][:n_puzzles]
    same: Counter[str] = Counter()
    every: Counter[str] = Counter()
    n_positions = 0
    for puzzle in chosen:
        taken = [each for each in walk_through(puzzle).steps if each.step.placement is None]
        if not taken:
            continue
        marks = taken[len(taken) // 2].position
        n_positions += 1
        hodoku = Hodoku(marks)
        for step in every_step(marks, LADDER, 0):
            family = family_of(step, marks).name
            known = NAMES[family].hodoku
            if step.placement or known is None or family in CHAINS | GROUPED or "Chain " in known:
                continue
            every[family] += 1
            removed = hodoku.removed_by(known)
            same[family] += any(set(step.eliminations) <= gone for gone in removed)
    print(f"{n_positions} positions, one of each of {len(chosen)} puzzles")
    for family, count in sorted(every.items()):
        print(f"{same[family]:6} of {count:6}  {family} = {NAMES[family].hodoku}")
    print(f"{same.total():6} of {every.total():6}  all: {same.total() / every.total():.2%}")


if __name__ == "__main__":
    main()
