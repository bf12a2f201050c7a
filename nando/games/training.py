"""Games for fitting and checking models of fill orders and audits."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nando.datasets import DATASETS, entry_ranks, fetch_nurikabe, fetch_sudoku_variants
from nando.games.audit import Auditor
from nando.games.game import Game
from nando.games.kinds import find_kind
from nando.games.log import Key, key_of, read_games
from nando.games.people.population import Population, by_player, fit_population
from nando.puzzles import PuzzleError
from nando.rating.files import fitted_now


class HonestGames(NamedTuple):
    """Finished games of people.

    Attributes
    ----------
    games : list of Game
    provenance : dict
        The source of the games.
    problems : sequence of str
        A sentence for each line or game that could not be read.
    """

    games: list[Game]
    provenance: dict[str, Any]
    problems: Sequence[str] = ()


def honest_games(
    kind: str, log: Path | None = None, *, without: Collection[Key] = ()
) -> HonestGames:
    """Return finished games of one kind of puzzle, from a log or from the published log.

    The games `without` are left out, for example those that an audit doubts.

    Raises
    ------
    ValueError
        If there are none.
    """
    if log is None:
        published = find_kind(kind).published
        if published is None:
            raise ValueError(f"no games of {kind!r} puzzles are published: name a log")
        honest: HonestGames = published()
        games = [game for game in honest.games if key_of(game) not in without]
        honest = honest._replace(games=games)
    else:
        read = read_games(log).without(without)
        games = [game for game in read.games if game.finished and game.puzzle.kind == kind]
        provenance = {"name": log.name.split(".")[0], "data": {"file": log.name}}
        problems = [f"{log}: {problem}" for problem in read.problems]
        honest = HonestGames(games, provenance, problems)
    if not games:
        first = f"; {honest.problems[0]}" if honest.problems else ""
        name = log or honest.provenance["name"]
        raise ValueError(f"no finished games of {kind} found in {name}{first}")
    return honest


_DOUBTS = ("entered", "off screen", "unlike")
"""Findings of an audit on games that show nothing about how people solve."""


def read_doubted(audit: Path) -> set[Key]:
    """Return the games that an audit doubts, from the file that `nando audit` wrote.

    Raises
    ------
    OSError, ValueError
        If the file cannot be read, or is no audit of games.
    """
    import pandas as pd

    suffix = audit.suffix.lower()
    try:
        if suffix == ".parquet":
            rows = pd.read_parquet(audit)
        elif suffix in (".json", ".jsonl"):
            rows = pd.read_json(audit, lines=suffix == ".jsonl", dtype=False)
        else:
            rows = pd.read_csv(audit, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise ValueError(f"{audit}: not a table: {error}") from None
    absent = [name for name in ("game", "player", "puzzle", "finding") if name not in rows]
    if absent:
        raise ValueError(
            f"{audit}: no column {absent[0]!r}; wanted what nando audit writes of each game"
        )
    findings = rows["finding"].isin(_DOUBTS)
    if "player_finding" in rows:
        findings |= rows["player_finding"].isin(_DOUBTS[1:])
    keys = rows.loc[findings, ["game", "player", "puzzle"]].astype(str)
    return set(keys.itertuples(index=False, name=None))


_LARGEST = 200
"""Most cells of a Nurikabe whose log is used; larger puzzles take a minute each."""


def sudoku_games() -> HonestGames:
    """Return the log of the Sudoku Insight app."""
    data_set = DATASETS["sudoku_insight"][0]
    read = read_games(data_set.path(data_set.files[0].name))
    games = [game for game in read.games if game.finished]
    return HonestGames(games, {"name": "sudoku-insight", "data": data_set.provenance()})


def nurikabe_games() -> HonestGames:
    """Return the logs of puzzles that are not too large and are not known to be ambiguous."""
    return _orders(
        "nurikabe", "nurikabe_janko", _read_collection(fetch_nurikabe(as_frame=True), _LARGEST)
    )


def variant_games() -> HonestGames:
    """Return the logs of variants, including butterflies and samurai."""
    games = _read_collection(fetch_sudoku_variants(as_frame=True))
    return _orders("variant", "sudoku_variants", games)


def _orders(kind: str, collection: str, games: list[Game]) -> HonestGames:
    """Return games of a collection whose logs have no times."""
    data = DATASETS[collection][0].provenance()
    return HonestGames(games, {"name": f"{kind}-orders", "data": data})


def _read_collection(data: Any, largest: int | None = None) -> list[Game]:
    """Return the finished games of a collection with the orders of entries."""
    games = []
    for number, events in data.events.groupby("game", sort=True):
        puzzle, row = data.puzzles[number], data.frame.iloc[number]
        if largest is not None and len(puzzle.givens) > largest:
            continue
        ranks = entry_ranks(events, puzzle)
        try:
            game = Game.from_ranks(puzzle, ranks, name=row["name"], player=row["solver"])
        except PuzzleError:
            continue
        if game.finished:
            games.append(game)
    return games


def fit_to_games(
    honest: HonestGames, kind: str, *, n_jobs: int | None = None
) -> Auditor | Population:
    """Fit the audit, and the population of players inside it.

    Logs of kinds other than Sudoku contain no times, so only the population is fitted.
    """
    fitted: Auditor | Population
    if kind == "sudoku":
        fitted = Auditor.fit(honest.games, n_jobs=n_jobs)
    else:
        fitted = fit_population(by_player(honest.games), kind=kind, n_jobs=n_jobs)
    fitted.provenance_ = {
        **honest.provenance,
        "games": len(honest.games),
        "moves": sum(len(game.cells) for game in honest.games),
        **fitted_now(),
    }
    return fitted
