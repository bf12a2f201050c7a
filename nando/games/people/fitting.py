"""Make a population from persons drawn at random and from persons fitted to games.

The data come from few people, so persons drawn at random from habits that guides and logs describe
have half of the weight. The other half is divided equally among the sources, each of which is a
player or a strategy. It belongs to persons fitted to the source's games, and to copies of them that
are a little less strict. Drawn persons who resemble a source weigh more than the others.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from nando.arrays import Floats
from nando.games.fill_order import fit_coefficients
from nando.games.game import Game
from nando.games.kinds import find_kind
from nando.games.people.learning import Learning
from nando.games.people.persons import Person, Persons
from nando.games.people.players import STRATEGIES, play
from nando.games.people.population import Population
from nando.puzzles import Sudoku, Variant
from nando.stages import counted, stage

TAUGHT = 0.5
"""Share of the weight of the persons fitted to sources."""

_RIDGE = 1e-3
_STRICTNESS = (1.0, 0.7)
_SLIPS = ((0.01, 0.005), (0.06, 0.03))
_LEAST_ALIKE = 12
"""Minimum number of games of a source with the same rules to which persons are fitted."""
_MOST_ALIKE = 200
"""Most games of variants for each fit, evenly spread."""
_RESEMBLING = 0.5
"""Share of the drawn persons' weight that belongs to persons who resemble a source."""
_MOST_GAMES = 20
"""Most games of a source by which similar persons are found."""

_MOST_COMMON = 100
"""Most games of a source to which the person who learns is fitted before the game."""

Taught = Mapping[str, Sequence[Person]]
"""Persons by the source to which they were fitted."""


def taught_persons(source: str, games: Sequence[Game]) -> list[Person]:
    """Fit persons to all games of a source, and to its games on puzzles with the same rules.

    Raises
    ------
    ValueError
        If no game has a fill, or the games are of several kinds of puzzle.
    """
    groups = _with_same_rules(games)
    fits = [fit_coefficients(group, ridge=_RIDGE) for group in groups]
    # Variants have many fits, for which two manners are as good as four.
    several = zip if games[0].puzzle.kind == Variant.kind else product
    return [
        Person(source, strictness * fit, slips, 1 / len(fits))
        for fit in fits
        for strictness, slips in several(_STRICTNESS, _SLIPS)
    ]


def _with_same_rules(games: Sequence[Game]) -> list[Sequence[Game]]:
    """Return all games of a source and, for variants, also the games of each set of rules."""
    groups: dict[frozenset[str], list[Game]] = defaultdict(list)
    for game in games:
        if isinstance(game.puzzle, Variant):
            groups[frozenset(rule.name for rule in game.puzzle.rules)].append(game)
    if not groups:
        return [games]
    several = [group for group in groups.values() if len(group) >= _LEAST_ALIKE]
    return [_evenly(group, _MOST_ALIKE) for group in (games, *several)]


def teach(sources: Mapping[str, Sequence[Game]], *, n_jobs: int | None = None) -> Taught:
    """Fit persons to each source; see :func:`taught_persons`."""
    from joblib import Parallel, delayed

    work = Parallel(n_jobs=n_jobs or 1, prefer="threads", return_as="generator")
    fitted = work(delayed(taught_persons)(source, games) for source, games in sources.items())
    taught = {}
    # Sources have from a few to thousands of games, and take a proportional time.
    with stage("games learnt from", sum(map(len, sources.values()))) as advance:
        for (source, games), persons in zip(sources.items(), fitted, strict=True):
            taught[source] = persons
            advance(len(games))
    return taught


def fit_population(
    sources: Mapping[str, Sequence[Game]],
    *,
    kind: str = Sudoku.kind,
    n_drawn: int | None = None,
    taught: Taught | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Population:
    """Return a population of players.

    Parameters
    ----------
    sources : mapping of str to sequence of Game
        Games by player or strategy.
    kind : str
        Kind of puzzle.
    n_drawn : int or None
        Number of persons drawn at random; None draws 300, or 100 for variants.
    taught : mapping of str to sequence of Person, or None
        Persons already fitted to the sources; None fits them.
    seed : int
    n_jobs : int or None
        Threads; never changes a result.

    Raises
    ------
    ValueError
        If there are no sources, or a source has no fill.
    """
    if not sources:
        raise ValueError("no games to learn from")
    if taught is None:
        taught = teach(sources, n_jobs=n_jobs)
    fitted = [person for source in sources for person in taught[source]]
    rng = np.random.default_rng(seed)
    known = find_kind(kind)
    assert known.draw is not None
    drawn = known.draw(known.n_drawn if n_drawn is None else n_drawn, rng, fitted)
    resembled = (_weigh_persons(drawn, kind, games) for games in sources.values())
    alike = np.mean(
        list(counted(resembled, "players and strategies followed", len(sources))), axis=0
    )
    drawn = drawn.reweight((1 - _RESEMBLING) * drawn.weights + _RESEMBLING * alike)
    learning = learner_of(sources) if known.learns else None
    return Population(drawn.joined(Persons.of(fitted), TAUGHT), kind, learning)


def learner_of(sources: Mapping[str, Sequence[Game]]) -> Learning:
    """Return the person who learns during a game, fitted to at most 100 games of each source."""
    return Learning.fit([game for part in sources.values() for game in _evenly(part, _MOST_COMMON)])


def _evenly(games: Sequence[Game], most: int) -> Sequence[Game]:
    """Return at most `most` games, evenly spread."""
    return games[:: 1 + len(games) // most]


def _weigh_persons(drawn: Persons, kind: str, games: Sequence[Game]) -> Floats:
    """Return the mean posterior weights of the drawn persons, given a source's games."""
    alone = Population(drawn, kind)
    some = games[:: max(1, len(games) // _MOST_GAMES)][:_MOST_GAMES]
    left = [alone.follow(game.puzzle, game.solution, game.cells).weights[1:] for game in some]
    return np.asarray(np.concatenate(left).mean(axis=0))


def strategy_games(
    puzzles: Sequence[Sudoku], *, n_games: int = 60, seed: int = 0
) -> dict[str, list[Game]]:
    """Simulate games of every strategy of honest players, each game by a new player.

    Parameters
    ----------
    puzzles : sequence of Sudoku
        The puzzles, which are played in turn.
    n_games : int
        Number of games of each strategy.
    seed : int
    """
    samples = {}
    strategies = counted(STRATEGIES.items(), "strategies played", len(STRATEGIES))
    for number, (name, draw) in enumerate(strategies):
        rng = np.random.default_rng([seed, number])
        chosen = rng.choice(len(puzzles), n_games)
        samples[name] = [play(puzzles[i], draw(rng), rng) for i in chosen.tolist()]
    return samples


def by_player(games: Sequence[Game]) -> dict[str, list[Game]]:
    """Return the games by the name of their player."""
    players: dict[str, list[Game]] = defaultdict(list)
    for game in games:
        players[game.player or "unnamed"].append(game)
    return dict(players)
