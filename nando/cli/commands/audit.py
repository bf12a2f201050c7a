"""The command `audit`."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from nando.checks import how_many, one_of
from nando.cli.loading import report_games
from nando.cli.options import Jobs
from nando.cli.output import Destination, Format, Layout, columns_of
from nando.cli.progress import STEPS, announce_compiling, progress
from nando.cli.table import Shown, fitted

if TYPE_CHECKING:
    from nando.games.evidence.results import ResultAudit
    from nando.games.evidence.verdicts import GameAudit, PlayerAudit
    from nando.games.game import Game

_PLAYERS = 20
"""Most players to print, the least like a person first."""

_SHOWN = (
    Shown("game", -8, "game"),
    Shown("player", -12, "player"),
    Shown("p_value", 8, "p_value"),
    Shown("odds", 6, "odds_shown"),
    Shown("verdict", -40, "verdict"),
    Shown("evidence and notes", 0, "remarks"),
)
_PLAYERS_SHOWN = (
    Shown("player", -12, "player"),
    Shown("games", 6, "games"),
    Shown("p_value", 8, "p_value"),
    Shown("odds", 6, "odds_shown"),
    Shown("verdict", 0, "verdict"),
)
_RESULTS_SHOWN = (
    Shown("player", -12, "player"),
    Shown("results", 7, "results"),
    Shown("p_value", 8, "p_value"),
    Shown("verdict", -40, "verdict"),
    Shown("evidence and notes", 0, "remarks"),
)


def audit(
    logs: list[str],
    output: Path | None = None,
    form: Literal[Format, "html"] | None = None,
    by: Literal["game", "player"] = "game",
    model: Path | None = None,
    level: float = 0.01,
    history: Path | None = None,
    on_screen: bool = False,
    language: str = "en",
    jobs: Jobs = None,
) -> int:
    """Tell from move logs or results whether games look human, at a stated error rate."""
    from nando.games.results import are_results

    if any(map(are_results, logs)):
        if model is not None or history is not None or form == "html":
            raise ValueError("a table of results has neither --model, --history nor a page of HTML")
        destination = Destination(output, form)
        return _audit_results(logs, destination, level, language, jobs, on_screen=on_screen)
    paged = form == "html" or (
        form is None and output is not None and output.suffix.lower() in (".html", ".htm")
    )
    destination = Destination(output, None if form == "html" else form)
    for_people = paged or destination.is_for_people
    if paged and by == "player":
        raise ValueError("an HTML report always has players and games: leave out --by")
    from nando.games.audit import load_auditor
    from nando.games.evidence.standards import notes_on_kinds
    from nando.games.said import translated
    from nando.solvers.logic.language import PAGE_LANGUAGES

    one_of("--language", language, PAGE_LANGUAGES)
    auditor = load_auditor(model)
    read = _read_logs(logs)
    if not read.games:
        report_games(read.problems)
        raise ValueError(f"no games found in {', '.join(logs)}")
    earlier = _read_logs([] if history is None else [str(history)])
    read.problems.extend(earlier.problems)
    announce_compiling(*STEPS, "fills")
    doing = f"auditing {how_many(len(read.games), 'game')}"
    with progress(doing, to_file=True, unit="", stages=True):
        audits = auditor.audit(
            read.games, level=level, history=earlier.games, on_screen=on_screen, n_jobs=jobs
        )
    notes = [*read.notes, *notes_on_kinds(read.games), *_on_players(read.games)]
    if paged:
        from nando.games.report import audit_html

        page = audit_html(
            audits,
            level=level,
            model_id=auditor.models_of(read.games),
            problems=read.problems,
            sources=logs,
            notes=notes,
            on_screen=on_screen,
            language=language,
        )
        _write_page(page, destination.file)
    else:
        players = auditor.players(audits, level=level, on_screen=on_screen)
        if by == "player":
            rows = [player.row(language) for player in players]
            layout = Layout(columns_of("audit_players"), _PLAYERS_SHOWN)
        else:
            rows = _rows_of_games(audits, read.files, players, language)
            layout = Layout(columns_of("audit"), _SHOWN)
            if for_people:
                # A player's verdict rests on all games: it is the one to see first.
                _print_players(players, language)
        for row in rows:
            row["odds_shown"] = f"{row['log10_odds']:.1f}"
        destination.write(layout, rows)
    if for_people:
        notes = [*_summary(audits, level), *notes]
    _print_lines([translated(line, language) for line in notes])
    return report_games(read.problems)


def _audit_results(
    tables: Sequence[str],
    destination: Destination,
    level: float,
    language: str,
    jobs: int | None,
    *,
    on_screen: bool,
) -> int:
    """Judge players by tables of results, joined if there are several."""
    from nando.games.evidence.results import audit_results
    from nando.games.results import ResultLog, read_results
    from nando.games.said import said, translated
    from nando.solvers.logic.language import PAGE_LANGUAGES

    one_of("--language", language, PAGE_LANGUAGES)
    log = ResultLog()
    for table in tables:
        log.join(read_results(table), table if len(tables) > 1 else "")
    if not log.left_out and not log.results:
        report_games(log.problems)
        raise ValueError(f"no results found in {', '.join(tables)}")
    announce_compiling()
    doing = f"auditing {how_many(len(log.results), 'result')}"
    with progress(doing, to_file=True, unit="", stages=True):
        audits = audit_results(log, level=level, on_screen=on_screen, n_jobs=jobs)
    rows = [audit.row(language) for audit in audits]
    for row in rows:
        row["remarks"] = "; ".join(filter(None, (row["evidence"], row["notes"])))
    destination.write(Layout(columns_of("audit_results"), _RESULTS_SHOWN), rows)
    if destination.is_for_people:
        lines = list(_summary(audits, level, "results"))
        _print_lines([translated(line, language) for line in (*lines, said("results.limits"))])
    return report_games(log.problems)


def _rows_of_games(
    audits: "Sequence[GameAudit]",
    files: Sequence[str],
    players: "Sequence[PlayerAudit]",
    language: str,
) -> list[dict[str, object]]:
    """Return a row for each game, the least like a person first, with what is known of its player.

    `files` has the log of each game.
    """
    from nando.games.report import by_evidence

    file_of = {id(audit): file for audit, file in zip(audits, files, strict=True)}
    player_of = {player.player: player for player in players}
    rows = []
    for audit in by_evidence(audits):
        player = _of_player(player_of.get(audit.game.player), language)
        row = audit.row(language) | player | {"file": file_of[id(audit)]}
        row["remarks"] = "; ".join(filter(None, (row["evidence"], row["notes"])))
        rows.append(row)
    return rows


def _of_player(player: "PlayerAudit | None", language: str) -> dict[str, object]:
    """Return the columns of a game on its player, empty for one with a single judged game."""
    row: dict[str, object] = {} if player is None else player.row(language)
    names = ("games", "finding", "log10_odds", "entered_log10_odds", "verdict")
    return {f"player_{name}": row.get(name) for name in names}


class _Logs(NamedTuple):
    """The games of all logs, the log of each, the lines in error, and notes on repairs."""

    games: list["Game"]
    files: list[str]
    problems: list[str]
    notes: list[str]


def _read_logs(logs: list[str]) -> _Logs:
    """Return the readable games in all logs."""
    from nando.games.log import read_games
    from nando.games.said import said

    merged = _Logs([], [], [], [])
    for log in logs:
        read = read_games(log)
        merged.games.extend(read.games)
        merged.files.extend([log] * len(read.games))
        merged.problems.extend(f"{log}: {problem}" for problem in read.problems)
        merged.notes.extend(said("note.of_log", log=log, note=note) for note in read.notes)
    return merged


def _on_players(games: list["Game"]) -> list[str]:
    """Return a note if all games are of one player, who cannot be compared with others."""
    if len({game.player for game in games if game.player}) != 1:
        return []
    from nando.games.said import said

    return [said("note.one_player")]


def _write_page(page: str, output: Path | None) -> None:
    from nando.writing import replaced_text

    if output is None:
        sys.stdout.write(page)
        return
    with replaced_text(output) as text:
        text.write(page)


def _print_players(players: Sequence["PlayerAudit"], language: str) -> None:
    """Print a line for each of the players least like a person."""
    from nando.games.said import counted, translated

    lines = [
        counted("summary.player", player.n_games, player=player.player, verdict=player.verdict)
        for player in players[:_PLAYERS]
    ]
    if lines:
        _print_lines([translated(line, language) for line in lines])


def _summary(
    audits: "Sequence[GameAudit] | Sequence[ResultAudit]", level: float, table: str = "summary"
) -> Iterator[str]:
    """Yield what was found and what to do next, in sentences of a table for an organiser."""
    from nando.games.evidence.verdicts import Finding
    from nando.games.said import figure, said

    counts = Counter(audit.finding for audit in audits)
    everything = figure(len(audits), ",")
    n_unlike = counts[Finding.UNLIKE]
    if n_unlike:
        unlike = figure(n_unlike, ",")
        yield said(f"{table}.games", n=unlike, all=everything, level=figure(level, "g"))
    else:
        yield said(f"{table}.none", all=everything)
    for finding, key in ((Finding.ENTERED, "entered"), (Finding.OFF_SCREEN, "off_screen")):
        if counts[finding]:
            yield said(f"{table}.{key}", n=figure(counts[finding], ","), all=everything)


def _print_lines(lines: Sequence[str]) -> None:
    print(fitted("\n".join(lines), sys.stderr, indent=4), file=sys.stderr)
