"""The command `order`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nando import games
from nando.cli.options import Form, KindOf, ModelFile, Player, Seed, output_option
from nando.cli.output import Destination, Layout, columns_of
from nando.cli.progress import announce_compiling, progress
from nando.cli.reading import PuzzleFiles, Read, check_unique, name_of, report_bad, report_games
from nando.records import between, setting
from nando.stages import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nando.puzzles import Puzzle

_RUNS = 200
_PICTURES = (".svg", ".png")


def order(
    puzzle: str = typer.Argument(metavar="PUZZLE", help="A puzzle or link, or a file."),
    output: Path | None = output_option(
        "Write here: .svg or .png for a heat map, .csv .json .parquet for a row per cell."
    ),
    form: Form = None,
    model: ModelFile = None,
    runs: int | None = setting(None, between(1), about="Number of simulated games; default: 200."),
    seed: Seed = None,
    kind: KindOf = None,
    player: Player = None,
    history: Path | None = setting(
        None, about="Log of earlier games: the prediction adapts to the player.", metavar="LOG"
    ),
    without: Path | None = setting(
        None, about="Leave out the games of the log that this audit doubts.", metavar="AUDIT"
    ),
) -> int:
    """Predict the order in which a person fills the cells, as a grid of ranks."""
    destination = Destination(output, form)
    picture = output if destination.suffix in _PICTURES else None
    if destination.suffix == ".png":
        from nando.drawing.png import check_png

        check_png()
    as_grids = picture is None and destination.is_for_people
    announce_compiling("exact", "fills")
    puzzles, bad = _puzzles(puzzle, kind)
    if picture is not None and len(puzzles) > 1:
        raise ValueError(f"{puzzle}: {len(puzzles)} puzzles; a heat map shows one")

    models = {one.kind: games.load_fill_order(model, one.kind) for one in puzzles}
    status = 0
    if bad:
        n_all = len(bad) + len(puzzles)
        status = report_bad(f"{len(bad)} of {n_all} puzzles cannot be used", bad)
    if history is not None:
        earlier = _earlier(history, player, without)
        models = {name: known.given(earlier.games) for name, known in models.items()}
        status = max(status, report_games(earlier.problems))
    elif player is not None or without is not None:
        option = f"--player {player}" if without is None else f"--without {without}"
        raise ValueError(f"{option}: name the log of earlier games with --history")

    def ordered(puzzle: "Puzzle") -> games.PredictedOrder:
        mean_ranks = models[puzzle.kind].expected_order(puzzle, runs=runs or _RUNS, rng=seed or 0)
        return games.PredictedOrder(puzzle, mean_ranks)

    def rows_of(puzzle: "Puzzle") -> list[dict[str, object]]:
        between = models[puzzle.kind].rank_intervals(puzzle, runs=runs or _RUNS, rng=seed or 0)
        return _rows(ordered(puzzle), between)

    to_file = picture is not None or as_grids or destination.file is not None
    simulating = progress("simulating games", to_file=to_file, unit="", stages=True)
    if picture is None and not as_grids:
        with destination.open(Layout(columns_of("order"))) as writer, simulating:
            for one in counted(puzzles, "puzzles", len(puzzles)):
                writer.write(rows_of(one))
        return status
    with simulating:
        orders = [ordered(each) for each in counted(puzzles, "puzzles", len(puzzles))]
    if picture is not None:
        _draw(orders[0], picture)
    else:
        destination.write_pages([str(order) for order in orders])
    return status


def _earlier(history: Path, player: str | None, audit: Path | None) -> "games.GameLog":
    """Return the earlier games of a player, by default of the only player in a log.

    Games that an audit doubts are left out. The result lists the lines that could not be read.
    """
    from nando.games.times import own_games
    from nando.games.training import read_doubted

    log = games.read_games(history).without(() if audit is None else read_doubted(audit))
    problems = [f"{history}: {problem}" for problem in log.problems]
    return games.GameLog(own_games(log, player, history), problems, log.notes)


def _rows(order: "games.PredictedOrder", between: "NDArray[np.float64]") -> list[dict[str, object]]:
    """Return a row for each cell that is filled."""
    return [
        {
            "puzzle": order.puzzle.text,
            "cell": order.puzzle.cell_name(cell),
            "rank": rank,
            "mean_rank": float(order.mean_ranks[cell]),
            "low_80": float(between[0, cell]),
            "high_80": float(between[1, cell]),
        }
        for cell, rank in enumerate(order.ranks.tolist())
        if rank
    ]


def _draw(order: "games.PredictedOrder", output: Path) -> None:
    from nando.drawing.boards import heat_map
    from nando.drawing.png import write_picture
    from nando.writing import replace_file

    picture = heat_map(order.puzzle, order.ranks)
    title = f"Predicted fill order of {order.puzzle.text}"
    with replace_file(output) as file:
        write_picture(picture, file, output.suffix.lower(), pixels=64, title=title)


def _puzzles(argument: str, kind: str | None) -> tuple[list["Puzzle"], list[str]]:
    """Return the puzzles of a puzzle, a link or a file, and the errors of bad puzzles.

    A puzzle or error that occurs several times, as in a log of games, is returned once.
    """
    from nando.puzzles.kinds import PUZZLES

    files = PuzzleFiles([argument], kind, check=False)
    reads = _different(files)
    if kind is None:
        # A log may have several kinds: what is no puzzle of the first may be one of another.
        for other in (puzzle.kind for puzzle in PUZZLES):
            faulty = {read.entry.line for read in reads if read.error}
            if faulty and other != files.kind:
                again = _different(PuzzleFiles([argument], other, check=False))
                found = [read for read in again if read.entry.line in faulty and not read.error]
                lines = {read.entry.line for read in found}
                reads = [read for read in reads if read.entry.line not in lines] + found
    reads = [check_unique(read.file, read.entry) for read in reads]
    puzzles = list(dict.fromkeys(read.puzzle for read in reads if read.error is None))
    bad = [
        f"{name_of(read.file)}: line {read.entry.line}: {read.error}"
        for read in reads
        if read.error
    ]
    if not puzzles:
        raise ValueError(bad[0])
    return puzzles, bad


def _different(files: PuzzleFiles) -> list[Read]:
    """Return the entries of files, and of equal ones the first."""
    by_text: dict[str, Read] = {}
    for chunk in files.chunks():
        for read in chunk:
            by_text.setdefault(read.text, read)
    return list(by_text.values())
