"""The command `solve`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando.cli.output import Destination, Format
from nando.cli.pipeline import run
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.table import Shown
from nando.cli.writers import Layout, columns_of

if TYPE_CHECKING:
    from nando.puzzles import Puzzle
    from nando.solvers import Limit

_SEVERAL = 2
"""Number of solutions up to which are counted, if no other is given."""
_NUMBER = re.compile("[1-9][0-9]{0,6}")


def solve(
    files: list[str] | None = None,
    output: Path | None = None,
    form: Format | None = None,
    count: bool = False,
    method: str = "exact",
    steps: int | None = None,
    seed: int | None = None,
    kind: str | None = None,
) -> int:
    """Solve puzzles, one solution per line."""
    from nando.solvers import Limit, UnsupportedError, find_solver, solve_by
    from nando.solvers.protocol import spawned

    files, most = _counted_up_to(files) if count else (files, _SEVERAL)
    puzzles = PuzzleFiles(files, kind, check=not count)
    destination = Destination(output, form)
    limit = None if steps is None else Limit(steps=steps)

    def counted(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        del first_index
        counts = [_count(read.puzzle, most, limit) for read in good]
        shown = {None: "undecided", most: f"{most}+"}
        return [{"solutions": n, "shown": shown.get(n, str(n))} for n in counts]

    def solved(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        rows = []
        for index, read in enumerate(good, first_index):
            try:
                rng = spawned(seed or 0, index)
                solution = solve_by(read.puzzle, method, limit=limit, rng=rng)
            except UnsupportedError as error:
                raise ValueError(error) from None
            shown = solution.text or f"# line {read.entry.line}: {solution}"
            rows.append(solution.to_dict() | {"shown": shown})
        return rows

    if count:
        shown = [Shown("solutions", 9, "shown"), Shown("puzzle", 0, "puzzle")]
        columns = columns_of("solve", "solution", "outcome", "steps")
        return run(puzzles, counted, Layout(columns, shown), destination)
    find_solver(method)  # an unknown solver is an error before anything is read
    layout = Layout(columns_of("solve", "solutions"), [Shown("", 0, "shown")])
    return run(puzzles, solved, layout, destination)


def _counted_up_to(files: list[str] | None) -> tuple[list[str] | None, int]:
    """Return the files without a number among them, and this number, which follows --count."""
    numbers = [file for file in files or () if _NUMBER.fullmatch(file) and not Path(file).exists()]
    if len(numbers) > 1:
        raise ValueError(f"--count: one number is wanted, got {' and '.join(numbers)}")
    others = [file for file in files or () if file not in numbers]
    return others or None, int(numbers[0]) if numbers else _SEVERAL


def _count(puzzle: "Puzzle", most: int, limit: "Limit | None") -> int | None:
    """Return the number of solutions, at most `most`; None if the steps do not suffice."""
    from nando.solvers import ExactSearch, Outcome

    result = ExactSearch(max_solutions=most).run(puzzle, limit=limit)
    return None if result.outcome is Outcome.STEP_LIMIT else result.n_solutions
