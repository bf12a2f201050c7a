"""The commands around fill orders: order, audit, and the order job of fit and evaluate."""

import datetime
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando import __version__
from nando.cli.input import announce_compiling, kind_of
from nando.cli.output import Columns, Format, Shown, opened_output, output_format

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nando.games.audit import GameAudit
    from nando.games.log import Game
    from nando.puzzles import Puzzle

_LISTED = 20
_RUNS = 200

_ORDER_COLUMNS: Columns = {"puzzle": str, "cell": str, "rank": int, "mean_rank": float}
_AUDIT_COLUMNS: Columns = {
    "game": str,
    "puzzle": str,
    "p_value": float,
    "order_score": float,
    "timing_score": float,
    "verdict": str,
    "player": str,
    "moves": int,
    "weighty_moves": str,
    "notes": str,
    "file": str,
}
_AUDIT_SHOWN = (
    Shown("game", -8, "game"),
    Shown("player", -12, "player"),
    Shown("p_value", 8, "p_value"),
    Shown("order", 6, "order_shown"),
    Shown("timing", 6, "timing_shown"),
    Shown("verdict", -40, "verdict"),
    Shown("notes", 0, "notes"),
)


class AuditFormat(StrEnum):
    """Form of an audit."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"
    HTML = "html"


def order(
    puzzle: str,
    kind: str | None,
    output: Path | None,
    chosen: Format | None,
    *,
    model: Path | None,
    runs: int | None,
    seed: int | None,
) -> int:
    """Write the predicted fill order of a puzzle: as ranks, or as a heat map."""
    drawn = output is not None and output.suffix.lower() in (".svg", ".png")
    if output is not None and output.suffix.lower() == ".png":
        from nando.drawing.png import check_png

        check_png()
    machine = not drawn and output_format(output, chosen) is not Format.TABLE
    puzzles = _puzzles(puzzle, kind)
    if drawn and len(puzzles) > 1:
        raise ValueError(f"{puzzle}: {len(puzzles)} puzzles; a heat map shows one")
    from nando.games.fill_order import load_fill_order
    from nando.games.ranks import order_grid, ranks_of

    order_model = load_fill_order(model, puzzles[0].kind)
    announce_compiling()
    found = [
        (one, order_model.expected_order(one, runs=runs or _RUNS, rng=seed or 0)) for one in puzzles
    ]
    if drawn:
        assert output is not None
        _draw(puzzles[0], ranks_of(*found[0]), output)
        return 0
    if not machine:
        pages = [order_grid(*item) for item in found]
        with opened_output(output, chosen, {}, [Shown("", 0, "text")]) as writer:
            writer.write([{"text": "\n\n".join(pages)}])
        return 0
    rows = [
        {
            "puzzle": one.text,
            "cell": one.cell_name(cell),
            "rank": rank,
            "mean_rank": float(places[cell]),
        }
        for one, places in found
        for cell, rank in enumerate(ranks_of(one, places).tolist())
        if rank
    ]
    with opened_output(output, chosen, _ORDER_COLUMNS, ()) as writer:
        writer.write(rows)
    return 0


def _draw(puzzle: "Puzzle", ranks: "NDArray[np.int64]", output: Path) -> None:
    from nando.drawing.heat_map import heat_map
    from nando.puzzles.writing import replaced_file

    picture = heat_map(puzzle, ranks)
    with replaced_file(output) as file:
        if output.suffix.lower() == ".png":
            from nando.drawing.png import write_png

            write_png(picture, file, unit=64)
        else:
            from nando.drawing.svg import svg

            title = f"Predicted fill order of {puzzle.text}"
            file.write(svg(picture, unit=40, title=title).encode())


def _puzzles(puzzle: str, kind: str | None) -> list["Puzzle"]:
    """A puzzle written out, or the puzzles of a file."""
    from nando.puzzles import find_puzzle, kind_of_line, read_puzzles

    is_file = puzzle == "-" or Path(puzzle[:255]).is_file()
    if not is_file:
        known = kind or kind_of_line(puzzle)
        if known is not None and find_puzzle(known).is_whole(puzzle):
            return [find_puzzle(known).parse(puzzle)]
    found: list[Puzzle] = []
    for entry in read_puzzles(puzzle, find_puzzle(kind_of([puzzle], kind))):
        if entry.puzzle is None:
            raise ValueError(f"{puzzle}: line {entry.line}: {entry.error}")
        found.append(entry.puzzle)
    if not found:
        raise ValueError(f"no puzzles found in {puzzle}")
    return found


def audit(
    logs: list[str],
    output: Path | None,
    chosen: AuditFormat | None,
    *,
    model: Path | None,
    level: float,
    jobs: int | None,
) -> int:
    """Audit logs of games: a verdict a game, and what could not be read."""
    paged = chosen is AuditFormat.HTML or (
        chosen is None and output is not None and output.suffix.lower() in (".html", ".htm")
    )
    form = None if chosen is None or paged else Format(chosen.value)
    machine = not paged and output_format(output, form) is not Format.TABLE
    from nando.games.audit import load_auditor

    auditor = load_auditor(model)
    games, files, problems = _read_logs(logs)
    if not games:
        _report(problems)
        raise ValueError(f"no games found in {', '.join(logs)}")
    announce_compiling()
    audits = auditor.audit(games, level=level, n_jobs=jobs)
    if paged:
        _write_page(audits, output, level, auditor.model_id, problems, logs)
    else:
        rows = [found.row() | {"file": file} for found, file in zip(audits, files, strict=True)]
        for row in rows:
            row["order_shown"] = f"{row['order_score']:.1f}"
            row["timing_shown"] = f"{row['timing_score']:.1f}"
        with opened_output(output, form, _AUDIT_COLUMNS, _AUDIT_SHOWN) as writer:
            writer.write(rows)
    if not machine:
        _tell(audits, level)
    return _report(problems)


def _read_logs(logs: list[str]) -> tuple[list["Game"], list[str], list[str]]:
    """Games of all logs, the log of each, and what could not be read."""
    from nando.games.log import read_games

    games: list[Game] = []
    files: list[str] = []
    problems: list[str] = []
    for log in logs:
        read = read_games(log)
        games += read.games
        files += [log] * len(read.games)
        problems += [f"{log}: {problem}" for problem in read.problems]
    return games, files, problems


def _write_page(
    audits: list["GameAudit"],
    output: Path | None,
    level: float,
    model_id: str,
    problems: list[str],
    logs: list[str],
) -> None:
    from nando.games.report_page import audit_html
    from nando.puzzles.writing import packed_text, replaced_file

    page = audit_html(audits, level=level, model_id=model_id, problems=problems, sources=logs)
    if output is None or str(output) == "-":
        sys.stdout.write(page)
        return
    with replaced_file(output) as file, packed_text(file, output) as text:
        text.write(page)


def _tell(audits: list["GameAudit"], level: float) -> None:
    from nando.games.report import players_of

    unlike = sum(found.p_value <= level for found in audits)
    print(
        f"{unlike:,} of {len(audits):,} games are unlike a person at the level {level:g}; "
        f"{level * len(audits):.1f} are expected by chance",
        file=sys.stderr,
    )
    for player, count, p_value in players_of(audits)[:_LISTED]:
        print(f"  {player}: {count} games, combined p-value {p_value:.3g}", file=sys.stderr)


def _report(problems: list[str]) -> int:
    """Tell standard error of what could not be read; the exit status, 0 or 1."""
    if not problems:
        return 0
    lines = [f"{len(problems):,} lines or games cannot be used"]
    lines += [f"  {problem}" for problem in problems[:_LISTED]]
    if len(problems) > _LISTED:
        lines.append(f"  and {len(problems) - _LISTED:,} more")
    print("\n".join(lines), file=sys.stderr)
    return 1


def fit(data: Path | None, output: Path, kind: str, *, jobs: int | None) -> int:
    """Fit the model of fill orders and the audit to honest games, and write them as JSON.

    Of kinds other than Sudoku the logs tell no times, and there is no audit.
    """
    from nando.puzzles.writing import packed_text, replaced_file

    if output.suffix.lower() != ".json":
        raise ValueError(f"{output}: a model is a .json file")
    with replaced_file(output) as file, packed_text(file, output) as text:
        games, provenance = _honest_games(data, kind)
        from nando.games.audit import Auditor
        from nando.games.fill_order import FillOrderModel

        announce_compiling()
        fitted: Auditor | FillOrderModel
        if kind == "sudoku":
            fitted = Auditor.fit(games, n_jobs=jobs)
        else:
            fitted = FillOrderModel(kind=kind).fit(games)
        fitted.provenance_ = {
            **provenance,
            "games": len(games),
            "moves": sum(len(game.cells) for game in games),
            "fitted": datetime.date.today().isoformat(),
            "nando": __version__,
        }
        text.write(fitted.to_json())
    print(f"{fitted.model_id}: fitted to {len(games):,} games, written to {output}")
    return 0


def evaluate(
    data: Path | None,
    output: Path | None,
    chosen: Format | None,
    *,
    kind: str,
    jobs: int | None,
    seed: int,
) -> int:
    """Evaluate the prediction of fill orders, and the audit, on honest games."""
    to_people = output_format(output, chosen) is Format.TABLE
    games, _ = _honest_games(data, kind)
    from nando.evaluation.audit import evaluate_audit
    from nando.evaluation.orders import evaluate_order

    announce_compiling()
    predicted = evaluate_order(games, n_jobs=jobs, seed=seed)
    parts: list[Any] = [predicted]
    if kind == "sudoku":  # of others no times are known
        parts.append(evaluate_audit(games, n_jobs=jobs, seed=seed))
    if to_people:
        page = "\n\n".join(part.page() for part in parts)
        with opened_output(output, chosen, {}, [Shown("", 0, "text")]) as writer:
            writer.write([{"text": page}])
        return 0
    rows = [row for part in parts for row in part.rows()]
    columns: Columns = {
        "part": str,
        "subject": str,
        "metric": str,
        "value": float,
        "low_95": float,
        "high_95": float,
    }
    with opened_output(output, chosen, columns, ()) as writer:
        writer.write(rows)
    return 0


def _honest_games(data: Path | None, kind: str) -> tuple[list["Game"], dict[str, Any]]:
    """Finished games of a log, or of the Sudoku Insight log, and where they are from."""
    from nando.datasets import DATASETS
    from nando.games.log import read_games

    if kind != "sudoku":
        if data is not None:
            raise ValueError(f"--data is for logs of Sudoku: of {kind} there is one log only")
        return _nurikabe_games(), {
            "name": "nurikabe-orders",
            "data": DATASETS["nurikabe"][0].provenance(),
        }
    if data is None:
        data_set = DATASETS["sudoku_insight"][0]
        path = data_set.path(data_set.files[0].name)
        provenance = {"name": "sudoku-insight", "data": data_set.provenance()}
    else:
        path = data
        provenance = {"name": data.name.split(".")[0], "data": {"file": data.name}}
    log = read_games(path)
    if data is not None:
        _report([f"{data}: {problem}" for problem in log.problems])
    games = [game for game in log.games if game.finished]
    if not games:
        raise ValueError(f"no finished games found in {path}")
    return games, provenance


_LARGEST = 200
"""Cells of the Nurikabe whose logs are used: choices among more cells take a minute to follow."""


def _nurikabe_games() -> list["Game"]:
    """The logs of puzzles that are not too large and have one solution, as far as is known."""
    from nando.datasets import entry_ranks, fetch_nurikabe
    from nando.games.log import Game
    from nando.puzzles import PuzzleError

    data = fetch_nurikabe(as_frame=True)
    games = []
    for number, events in data.events.groupby("game", sort=True):
        puzzle, row = data.puzzles[number], data.frame.iloc[number]
        if puzzle.n_cells > _LARGEST:
            continue
        ranks = entry_ranks(events, puzzle)
        try:
            game = Game.from_ranks(puzzle, ranks, name=row["name"], player=row["solver"])
        except PuzzleError:
            continue
        if game.finished:
            games.append(game)
    return games
