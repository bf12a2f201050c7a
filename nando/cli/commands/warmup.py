"""The command `warmup`, which runs every other command once to compile all kernels."""

import contextlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from nando import datasets, features, games, puzzles, solvers

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
"""A puzzle whose steps reach the hardest technique, chains nested in assumptions."""


def warmup(context: typer.Context) -> int:
    """Compile all kernels now, so that no later command waits."""
    from nando.kernels.cache import OWN
    from nando.precompile import compile_everything

    os.environ[OWN] = "1"
    compile_everything()
    program = context.find_root().command.main
    with tempfile.TemporaryDirectory() as folder:
        works = _works(program, Path(folder))
        for i, (task, work) in enumerate(works, start=1):
            print(f"{i:>3} of {len(works)}  {task}", file=sys.stderr, end="", flush=True)
            start = time.perf_counter()
            hidden = io.StringIO()  # messages about compiling and about hard puzzles
            with contextlib.redirect_stderr(hidden), contextlib.redirect_stdout(hidden):
                work()
            print(f"  {time.perf_counter() - start:.1f} s", file=sys.stderr)
    print("ready", file=sys.stderr)
    return 0


Program = Callable[..., Any]
"""A function that runs a command line and returns its exit status."""


def _works(program: Program, folder: Path) -> list[tuple[str, Callable[[], None]]]:
    """Return the functions to run, each with a name to print."""
    from nando.precompile import NEEDED, NURIKABE, TECHNIQUES, VARIANT

    larger = [puzzle.text for puzzle in datasets.load_examples().puzzles if puzzle.order > 3]
    files = {
        "sudoku": "\n".join([EASY, TECHNIQUES, HARD, *larger]),
        "nurikabe": NURIKABE,
        "variant": VARIANT,
        "pattern": HARD,
    }
    for name, text in files.items():
        (folder / name).write_text(text + "\n")
    commands = [
        f"{command} {folder / kind}"
        for command in ("rate", "solve", "solve --count", "features", "canonical")
        for kind in ("sudoku", "nurikabe", "variant")
    ]
    commands += [
        f"explain {TECHNIQUES}",
        f"explain {HARD}",
        f"explain {NURIKABE}",
        f"explain {VARIANT}",
        f"explain {NEEDED}",
        f"explain --all --effort 1 {TECHNIQUES}",
        f"explain --all --effort 1 {NURIKABE}",
        f"explain --all --effort 1 {VARIANT}",
        f"order --runs 5 {TECHNIQUES}",
        f"order --runs 5 {NURIKABE}",
        f"order --runs 5 {VARIANT}",
        "generate --target 8min",
        "generate --minimal --symmetry rotational --no-rating",
        "generate --givens 30 --no-rating",
        f"generate --pattern {folder / 'pattern'} --no-rating",
        "generate --order 4 --no-rating",
        "generate --kind nurikabe --size 5x5 --target 1min",
        "generate --rule killer --size 4 --no-rating",
        "generate --rule diagonals --size 4 --no-rating",
    ]
    works = [
        (
            f"nando {command}".replace(f"{folder}{os.sep}", "")[:48],
            _command(program, command, folder),
        )
        for command in commands
    ]
    works.append(("nando audit", _audit))
    works.append(("nando check", _check))
    works.append(("games of imitated players", _imitate))
    works.append(("searches that learn from conflicts", _search_hard))
    works += [(f"solver {solver.name}", _solver(solver)) for solver in solvers.SOLVERS]
    works.append(("all feature groups", _all_features))
    return works


def _command(program: Program, command: str, folder: Path) -> Callable[[], None]:
    def run() -> None:
        status = program([*command.split(), "-o", str(folder / "out.csv")], standalone_mode=False)
        if status == 130:
            raise KeyboardInterrupt
        if status:
            raise RuntimeError(f"`nando {command}` ended with status {status}")

    return run


def _check() -> None:
    from nando.api import check
    from nando.precompile import VARIANT

    check(VARIANT)  # the command exits with 1 if it finds anything


def _solver(solver: "type[solvers.Solver]") -> Callable[[], None]:
    def run() -> None:
        from nando.precompile import NURIKABE, VARIANT

        for puzzle in (puzzles.Sudoku(EASY), puzzles.Nurikabe(NURIKABE), puzzles.Variant(VARIANT)):
            # Not every solver runs on every kind.
            with contextlib.suppress(solvers.UnsupportedError):
                solver().run(puzzle, limit=solvers.Limit(steps=100), rng=0)

    return run


def _all_features() -> None:
    from nando.precompile import TECHNIQUES, VARIANT

    sudokus = [puzzles.Sudoku(EASY), puzzles.Sudoku(TECHNIQUES)]
    for listed in (sudokus, [puzzles.Variant(VARIANT)]):
        names = [name for name in features.GROUPS if listed[0].kind in features.kinds_of([name])]
        features.FeatureExtractor(names, runs=1).table(listed)


def _search_hard() -> None:
    """Run the searches that are used only if guesses do not get far."""
    import numpy as np

    from nando.precompile import NURIKABE, VARIANT
    from nando.solvers.exact.nurikabe.search import learning_search
    from nando.solvers.exact.variant_clauses import formula_of
    from nando.solvers.exact.variant_learning import LearningSearch

    puzzle = puzzles.Nurikabe(NURIKABE)
    results = np.zeros(3, np.int64), np.zeros((2, puzzle.n_cells), np.int8)
    learning = learning_search(puzzle, *results)
    assert learning is not None
    learning.advance(2, 1000)
    variant = puzzles.Variant(VARIANT)
    formula = formula_of(variant)
    assert formula is not None
    none = np.zeros((0, variant.givens.size), np.int8)
    LearningSearch(variant, formula, none).advance(2, 1000)


def _audit() -> None:
    from nando.puzzles.sudoku.layout import cell_colours

    puzzle = puzzles.Sudoku(EASY)
    auditor = games.load_auditor()
    solution = solvers.unique_solution(puzzle)
    cells = auditor.population.sample_order(puzzle, rng=0)
    moves = [(1_000 * i, int(cell), int(solution[cell])) for i, cell in enumerate(cells)]
    auditor.audit([games.Game.from_moves(puzzle, moves)])
    # Called only where one game may be a copy of another.
    cell_colours(puzzle.givens, puzzle.layout)


def _imitate() -> None:
    """Play a game by each strategy of honest players, as models of fill orders learn them."""
    from nando.games.people.population import strategy_games

    strategy_games([puzzles.Sudoku(EASY)], n_games=1)
