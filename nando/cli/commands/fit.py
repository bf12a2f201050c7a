"""The command `fit`."""

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nando import evaluation, rating
from nando.checks import how_many
from nando.cli.options import Job, Jobs, KindOfData, output_option
from nando.cli.progress import RATING, announce_compiling, progress
from nando.cli.reading import list_some, report_games
from nando.records import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nando.games import Auditor, Population
    from nando.games.game import Game
    from nando.games.times import PlayerPace

_PUBLISHED = {
    "sudoku": "{:,} puzzles of {}",
    "nurikabe": "the standards and {:,} published puzzles",
    "variant": "{:,} published variants",
}
"""What the shipped model of each kind is fitted to."""


def fit(
    output: Path = output_option("Model file to write, .json.", default=...),
    file: Path | None = typer.Argument(
        None, metavar="FILE", show_default=False, help="The same as --data."
    ),
    data: Path | None = setting(
        None,
        about="CSV with the columns puzzle and seconds, optionally players, or a log of games; "
        "default: all published data. With --job order: a log of honest games; default: "
        "Sudoku Insight.",
        metavar="FILE",
    ),
    job: Job = "time",
    jobs: Jobs = None,
    kind: KindOfData = "sudoku",
    without: str | None = setting(
        None,
        about="Without --data: leave out these published crowds, for example cloud-sudoku, to "
        "score on them. With --data LOG: the games that this audit doubts.",
        metavar="NAME,NAME",
    ),
    times: Path | None = setting(
        None,
        about="With a log: also write how long each puzzle took and where people paused, as "
        ".csv, or drawn as .svg .png or .pdf.",
        metavar="FILE",
    ),
) -> int:
    """Fit a model to solving times, or to the order and times of fills."""
    from nando.writing import replace_text

    if file is not None and data is not None:
        raise ValueError(f"two files, {file} and --data {data}: give one")
    data = data if file is None else file
    audit = Path(without) if without is not None and data is not None else None
    left_out = [] if without is None or audit else [name.strip() for name in without.split(",")]
    if left_out and (job == "order" or kind != "sudoku"):
        raise ValueError(
            "--without leaves out published times of Sudokus, or with --data LOG the games that an "
            "audit doubts: give the log"
        )
    if times is not None:
        _check_times(times, data, job)
    if output.suffix.lower() != ".json":
        raise ValueError(f"{output}: a model is a .json file")
    # Open the file first: the work is lost if it cannot be written.
    with replace_text(output) as text:
        with (
            progress("fitting", to_file=True, unit="", stages=True),
            warnings.catch_warnings(record=True) as warned,
        ):
            model, known = (
                _fit_to_games(data, kind, jobs, audit)
                if job == "order"
                else _fit_to_times(data, kind, jobs, left_out, audit, times)
            )
        text.write(model.to_json())
    for note in dict.fromkeys(str(warning.message) for warning in warned):
        print(f"note: {note}", file=sys.stderr)
    print(f"{model.model_id}: fitted to {known}, written to {output}")
    return 0


def _fit_to_times(
    data: Path | None,
    kind: str,
    jobs: int | None,
    without: "Sequence[str]",
    audit: Path | None,
    distributions: Path | None,
) -> tuple["rating.Rater", str]:
    from nando.games.times import is_log, times_of_log
    from nando.games.training import read_doubted
    from nando.rating.fitting.training import read_times

    if data is None:
        announce_compiling(*(RATING if kind == "sudoku" else ()))
        model = rating.fit_shipped(kind, without=without, n_jobs=jobs)
        crowds = "all published crowds"
        if without:
            crowds = ", ".join(model.scale_.crowds)
        return model, _PUBLISHED[kind].format(model.provenance_["puzzles"], crowds)
    problems: list[str] = []
    if is_log(data):
        doubts = () if audit is None else read_doubted(audit)
        training, players, problems, games = times_of_log(data, kind, without=doubts)
        _print_paces(players)
        _show_times(games, distributions)
    elif audit is not None:
        raise ValueError(f"--without {audit}: {data} has times without games; leave it out")
    else:
        training = read_times(data, kind)
    report_games(problems)
    announce_compiling(*RATING)
    return evaluation.fit_model(training, kind, n_jobs=jobs), how_many(
        len(training.puzzles), "puzzle"
    )


_TIMES = (".csv", ".svg", ".png", ".pdf")
"""The suffixes of files with the times of puzzles."""


def _check_times(times: Path, data: Path | None, job: str) -> None:
    """Raise ValueError if times of puzzles cannot be written, before anything is fitted."""
    from nando.games.times import is_log

    if job == "order" or data is None or not is_log(data):
        raise ValueError(f"--times {times}: wanted a log of games to take the times from")
    if times.suffix.lower() not in _TIMES:
        raise ValueError(f"{times}: unknown suffix; known: {', '.join(_TIMES)}")
    if times.suffix.lower() in (".png", ".pdf"):
        from nando.drawing.png import check_png

        check_png(f"a {times.suffix}", "write .svg or .csv")


def _show_times(games: "Sequence[Game]", file: Path | None) -> None:
    """Print how long each puzzle took on standard error, and write it to a file."""
    from nando.games import times_by_puzzle

    if file is None and len({game.puzzle for game in games}) == len(games):
        return  # no contest: one game has no distribution
    found = times_by_puzzle(games)
    list_some("puzzles, in the order of their first games:", str(found).splitlines(), len(found))
    if file is None:
        return
    if file.suffix.lower() == ".csv":
        from nando.cli.output import CsvWriter
        from nando.writing import replace_text

        rows = [times.to_dict() for times in found]
        with replace_text(file) as text:
            CsvWriter(text, dict.fromkeys(rows[0] if rows else (), str)).write(rows)
    else:
        from nando.notebook import draw

        draw(found, file)


def _print_paces(players: "Sequence[PlayerPace]") -> None:
    """Print the pace of each player on standard error."""
    lines = [
        f"{pace.player}: {how_many(pace.games, 'game')}, "
        f"{pace.factor:.0%} of the typical player's time "
        f"({pace.low:.0%} to {pace.high:.0%})"
        for pace in players
    ]
    if lines:
        list_some("players, the fastest first:", lines)


def _fit_to_games(
    data: Path | None, kind: str, jobs: int | None, audit: Path | None
) -> tuple["Auditor | Population", str]:
    from nando.games.training import fit_to_games, honest_games, read_doubted

    honest = honest_games(kind, data, without=() if audit is None else read_doubted(audit))
    report_games(honest.problems)
    announce_compiling()
    return fit_to_games(honest, kind, n_jobs=jobs), how_many(len(honest.games), "game")
