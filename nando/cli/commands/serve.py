"""The command `serve`."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nando.checks import how_many
from nando.cli.progress import announce_compiling
from nando.records import between, setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nando.serve import Server


def serve(
    contest: Path = typer.Argument(
        metavar="CONTEST.TOML", help="A file that describes the contest."
    ),
    host: str = setting("127.0.0.1", about="Where to listen; 0.0.0.0 lets other machines in."),
    port: int = typer.Option(
        8000, min=0, max=65535, envvar="NANDO_PORT", help="Port; 0 picks a free one."
    ),
    database: str = setting(
        "",
        about="Database, e.g. postgresql+psycopg://user@host/contest; default: a file next to "
        "CONTEST.TOML.",
        metavar="URL",
    ),
    export: Path | None = setting(
        None, about="Write the contest's log (.csv) and exit.", metavar="FILE"
    ),
    backup: Path | None = setting(
        None,
        about="Copy the contest's database, also while it is served, and exit.",
        metavar="FILE",
    ),
    workers: int = setting(1, between(1), about="Processes for heavy work."),
    secure: bool = setting(
        False, about="Browsers connect by HTTPS, through a proxy.", named="https"
    ),
    root_path: str = setting(
        "", about="Path below which a proxy has the pages, e.g. /sudoku.", metavar="PATH"
    ),
    new_secrets: bool = setting(False, about="Replace the password and the token."),
) -> int:
    """Hold a contest: players join with a code, and the server keeps the time."""
    try:
        from nando.serve import Server, back_up_contest, contest_log, read_contest
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "nando":
            raise
        raise ValueError(
            f"a contest needs {missing}, which is not installed: pip install 'nando[serve]'"
        ) from None
    described = read_contest(contest)
    if backup is not None:
        n_players, n_moves = back_up_contest(contest, backup, database)
        print(f"{backup}: players: {n_players:,}, moves: {n_moves:,}")
    if export is not None:
        _export(contest_log(contest, database), export)
    if backup is not None or export is not None:
        return 0
    server = Server(
        described,
        contest,
        host=host,
        port=port,
        database=database,
        workers=workers,
        secure=secure,
        root_path=root_path,
        new_secrets=new_secrets,
        preparing=_preparing,
    )
    _print_addresses(server)
    server.run()
    return 0


def _export(pieces: "Iterable[str]", output: Path) -> None:
    from nando.writing import replace_text

    if not output.name.lower().endswith((".csv", ".csv.gz")):
        raise ValueError(f"a log is written as .csv, got {str(output)!r}")
    n_lines = 0
    with replace_text(output) as text:
        for piece in pieces:
            text.write(piece)
            n_lines += piece.count("\n")
    print(f"{output}: {how_many(n_lines - 1, 'row')}")


@contextmanager
def _preparing() -> "Iterator[None]":
    announce_compiling()
    yield


def _print_addresses(server: "Server") -> None:
    contest, room = server.contest, server.room
    puzzles = how_many(len(room.puzzles), "puzzle")
    players = sum(1 for _ in room)
    known = f"{how_many(players, 'player')} and {how_many(room.n_moves, 'move')}"
    lines = [
        f"{contest.title}: {puzzles}, {contest.start:%Y-%m-%d %H:%M} to "
        f"{contest.end:%Y-%m-%d %H:%M}",
        f"database: {server.store.name}" + (f", {known} so far" if players else ""),
        f"players: {server.address}/" + (f" with the code {contest.code}" if contest.code else ""),
        f"organiser: {server.address}/organiser"
        + (f" with the password {server.secrets.password}" if server.secrets.password else ""),
    ]
    if server.secrets.token:
        lines.append(f"library: {server.address}/api with the token {server.secrets.token}")
    if server.secrets.password or server.secrets.token:
        lines.append("Keep the secrets: they are printed only once; --new-secrets replaces them.")
    print("\n".join(lines), flush=True)
