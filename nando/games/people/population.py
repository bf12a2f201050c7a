"""Predict the order in which an unknown player fills a puzzle, by a population of players.

Each person of the population is a way to choose cells, with a weight. Each fill, and each earlier
game of the same player, raises the weights of the persons whose choices the player makes. A
prediction is the weighted mean over all persons. One further person learns from each fill of a
game, beginning with the habits that all persons share or with those in the player's earlier games.

A population is made of persons drawn at random and of persons fitted to games. The data come from
few people, so persons drawn at random from habits that guides and logs describe have half of the
weight. The other half is divided equally among the sources, each of which is a player or a
strategy. It belongs to persons fitted to the source's games, and to copies of them that are a
little less strict. Drawn persons who resemble a source weigh more than the others.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.blas import one_blas_thread
from nando.games.fill_order import check_cells, choices_of, fit_coefficients, place_coefficients
from nando.games.game import Game
from nando.games.kinds import KINDS, find_kind
from nando.games.mixtures import mix_chances
from nando.games.people.learning import Acquaintance, Learning, own_persons, share_of_own
from nando.games.people.persons import Followed, Person, Persons, Simulated
from nando.games.people.players import STRATEGIES, play
from nando.puzzles import Puzzle, Sudoku, Values, Variant, blanks_of
from nando.rating import files
from nando.solvers.people.fills.choices import Replay
from nando.stages import counted, stage

FORMAT = "nando fill order 2"


def file_of(path: str | Path | None = None, kind: str = Sudoku.kind) -> Path:
    """Return the file of a model of fill orders: `path`, or the file shipped with nando.

    Raises
    ------
    ValueError
        If no model is shipped for a kind of puzzle.
    """
    if path is not None:
        return Path(path)
    model = KINDS[kind].model if kind in KINDS else None
    if model is None:
        raise ValueError(f"no model of fill orders is shipped for {kind!r} puzzles")
    return files.SHIPPED_MODELS / model


SHARE = 0.02
"""Share of the weights that returns to the population's after each fill, because habits change."""

_BETWEEN_GAMES = 0.1
"""The same between the games of a player."""
_MOST_OWN = 100
"""Most games of a player to which persons are fitted, the latest."""
_FITTED_AGAIN = 1.05
"""Growth of the number of games after which the fit to a player's games is repeated."""
_LEAST_CHANCE = np.finfo(np.float32).tiny
"""Probability of a cell that a person without slips never chooses."""


class Population(Simulated, files.ModelFile):
    """A model of the next fill, by an unknown player or one with known games.

    Parameters
    ----------
    persons : Persons
    kind : str
        Kind of puzzle.
    learning : Learning or None
        The person who learns the habits of a game; None for no such person, see :meth:`follow`.
    acquaintance : Acquaintance or None
        The person who knows the player's earlier games; None if there are none.

    Attributes
    ----------
    persons, kind, learning, acquaintance
        As above.
    provenance_ : dict
        Data and settings, as a model file states them.
    model_id : str
        Name of the data and a hash of everything that moves a probability.

    Notes
    -----
    Probabilities use the puzzle's solution, because a cell is easy or hard to find depending on its
    digit. Only correctly filled cells are part of a game.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> person, puzzle = Population.of({"box_single": 3.0}), load_examples().puzzles[0]
    >>> chances = person.next_cell_probabilities(puzzle)
    >>> chances.shape, round(float(chances.sum()), 6)
    ((81,), 1.0)
    """

    file_format, file_kind = FORMAT, "a model of fill orders"

    def __init__(
        self,
        persons: Persons,
        kind: str,
        learning: Learning | None = None,
        acquaintance: Acquaintance | None = None,
    ) -> None:
        self.persons = persons
        self.kind = kind
        self.learning = learning
        self.acquaintance = acquaintance
        self.provenance_ = {}

    @classmethod
    def of(cls, coefficients: Mapping[str, float], kind: str = Sudoku.kind) -> Self:
        """Make a population of one person, who never slips.

        Parameters
        ----------
        coefficients : mapping of str to float
            Coefficients by column; those of other columns are 0.
        kind : str
            Kind of puzzle.

        Raises
        ------
        ValueError
            For an unknown kind or column.
        """
        return cls._of_one(place_coefficients(coefficients, kind), kind)

    @classmethod
    def fit(cls, games: Sequence[Game], *, ridge: float = 1e-5) -> Self:
        """Fit a population of one person to logged games; errors as in :func:`fit_coefficients`."""
        person = cls._of_one(
            fit_coefficients(games, ridge=ridge),
            next(game.puzzle.kind for game in games if len(game.cells)),
        )
        person.provenance_ = {"games": len(games)}
        return person

    @classmethod
    def _of_one(cls, coefficients: Floats, kind: str) -> Self:
        return cls(Persons(("own",), coefficients[None, :], np.zeros((1, 2)), np.ones(1)), kind)

    # ---------------------------------------------------------------- one game

    @one_blas_thread()
    def follow(
        self,
        puzzle: Puzzle,
        solution: Values,
        cells: Cells,
        replay: Replay | None = None,
        *,
        predicting: bool = False,
    ) -> Followed:
        """Follow a game, or its beginning, fill by fill.

        Parameters
        ----------
        puzzle : Puzzle
        solution : ndarray of int8, shape (n_cells,)
        cells : ndarray of int16, shape (n_moves,)
        replay : Replay or None
            None replays all open cells.
        predicting : bool
            Whether to add an acquaintance if no other person learns during the game. An audit does
            not add one, because it would learn the habits of a program as well.
        """
        choices = choices_of(self.kind)
        replay = replay or choices.replay(puzzle, solution, cells)
        at_hand = choices.at_hand(replay.table)
        rows, weights = self.persons.row_chances(replay, at_hand), self.persons.weights
        learner = self.learning or (self._predictor if predicting else None)
        if learner is not None:
            rows = np.column_stack([rows, learner.chances(replay)])
            weights = np.append((1 - learner.share) * weights, learner.share)
        log_chances, weights = mix_chances(
            np.log(np.maximum(rows[replay.chosen], _LEAST_CHANCE)), weights, SHARE
        )
        supported = choices.supported(replay.table)
        return Followed(replay, at_hand, supported, rows, log_chances, weights)

    def next_cell_probabilities(
        self, puzzle: Puzzle, filled: Sequence[int] | NDArray[np.integer] = ()
    ) -> Floats:
        """Return the probability of each cell to be filled next.

        Parameters
        ----------
        puzzle : Puzzle
            With exactly one solution.
        filled : sequence of int
            Blanks filled so far, in the order of their fills.

        Returns
        -------
        ndarray of float64, shape (n_cells,)
            0 for givens and filled cells; all 0 if no cell is open.

        Raises
        ------
        ValueError
            For cells that are not blanks or are named twice; PuzzleError if the puzzle does not
            have exactly one solution.
        """
        solution = self._solution(puzzle)
        order = check_cells(puzzle, filled)
        chances = np.zeros(len(solution))
        left = blanks_of(puzzle)
        left = left[~np.isin(left, order)]
        if not len(left):
            return chances
        # Any open cell can be taken as the next fill: the rows before it do not depend on it.
        cells = np.append(order, left[0]).astype(np.int16)
        followed = self.follow(puzzle, solution, cells, predicting=True)
        last = slice(int(followed.replay.starts[-2]), int(followed.replay.starts[-1]))
        chances[followed.replay.cells[last]] = followed.rows[last] @ followed.weights[-2]
        return chances

    def log_likelihoods(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> Floats:
        """Return the log probability of each fill of a game, given the fills before it."""
        solution = self._solution(puzzle)
        order = check_cells(puzzle, cells)
        return self.follow(puzzle, solution, order, predicting=True).log_chances

    def log_likelihood(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> float:
        """Return the log probability of a game, or of its beginning."""
        return float(self.log_likelihoods(puzzle, cells).sum())

    # ---------------------------------------------------------------- learning

    def given(self, games: Sequence[Game]) -> "Population":
        """Return the population adapted to a player with these earlier games.

        The weights are updated by the games. A fit to the player's own games, regularised towards
        the population's mean, is added; its weight grows with the number of games. For predictions,
        an acquaintance follows all games fill by fill.

        Parameters
        ----------
        games : sequence of Game
            In the order in which they were played; games of other kinds of puzzle are left out.
        """
        games = self._of_this_kind(games)
        if not games:
            return self
        (learnt,) = deque(self._learnt(games), maxlen=1)
        return self._adapt(self._own(games, learnt[0]), len(games), *learnt)

    def after_each(self, games: Sequence[Game], *, first: int = 0) -> Iterator["Population"]:
        """Yield the population adapted to the first `first`, `first` + 1, ... games of a player.

        The population that is yielded before a game predicts it from the earlier games alone. From
        20 games on, the fit to the player's own games is repeated when their number has grown by a
        twentieth.

        Parameters
        ----------
        games : sequence of Game
            As in :meth:`given`.
        first : int
            Number of games for the first population.
        """
        games = self._of_this_kind(games)
        if not first:
            yield self
        n_fitted, fitted_weights, own = 0, self.persons.weights, None
        for number, (weights, acquaintance) in enumerate(self._learnt(games), 1):
            if number >= _FITTED_AGAIN * n_fitted:
                n_fitted, fitted_weights, own = number, weights, None
            if number >= first:
                own = own or self._own(games[:n_fitted], fitted_weights)
                yield self._adapt(own, number, weights, acquaintance)

    def _of_this_kind(self, games: Sequence[Game]) -> list[Game]:
        return [game for game in games if game.puzzle.kind == self.kind and len(game.cells)]

    def _learnt(self, games: Sequence[Game]) -> Iterator[tuple[Floats, Acquaintance | None]]:
        """Yield the weights and the acquaintance after each game."""
        weights = self.persons.weights
        acquaintance = None
        if self.learning is None:
            acquaintance = self.acquaintance or Acquaintance.of(self.persons)
        for game in games:
            known = Population(self.persons._replace(weights=weights), self.kind, self.learning)
            followed = known.follow(game.puzzle, game.solution, game.cells)
            after = followed.weights[-1, : len(weights)]
            after = after / after.sum()
            weights = (1 - _BETWEEN_GAMES) * after + _BETWEEN_GAMES * self.persons.weights
            if acquaintance is not None:
                acquaintance = acquaintance.after(followed.replay)
            yield weights, acquaintance

    def _own(self, games: Sequence[Game], weights: Floats) -> Persons:
        """Return persons fitted to a player's games, regularised towards the weighted mean."""
        return own_persons(games[-_MOST_OWN:], self.persons.reweight(weights))

    def _adapt(
        self, own: Persons, n_games: int, weights: Floats, acquaintance: Acquaintance | None
    ) -> "Population":
        """Return a population with these weights and a player's own persons."""
        own_share = share_of_own(n_games)
        persons = self.persons.reweight(weights).joined(own, own_share)
        learning = self.learning and self.learning.nearer(own, own_share)
        return Population(persons, self.kind, learning, acquaintance)

    @cached_property
    def _predictor(self) -> Acquaintance | None:
        """The person who learns during a predicted game; None if the population is one person."""
        if self.acquaintance is None and len(self.persons.names) > 1:
            return Acquaintance.of(self.persons)
        return self.acquaintance

    # ---------------------------------------------------------------- as a record

    def record(self) -> dict[str, Any]:
        """Return everything that moves a probability, as plain values."""
        order: dict[str, Any] = {"kind": self.kind}
        if self.learning is not None:
            order["learning"] = self.learning.to_record(self.kind)
        if self.acquaintance is not None:
            order["player"] = self.acquaintance.to_record()
        return {"order": {**order, "persons": self.persons.to_records(self.kind)}}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild a population from its record; ValueError if the record is invalid."""
        order = record["order"]
        kind = str(order["kind"])
        choices_of(kind)
        learning, player = order.get("learning"), order.get("player")
        return cls(
            Persons.from_records(order["persons"], kind),
            kind,
            None if learning is None else Learning.from_record(learning, kind),
            None if player is None else Acquaintance.from_record(player, kind),
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild a population from the text of its file, or of a file of an audit.

        Raises
        ------
        ValueError
            If the text is neither, has another format, or has other columns.
        """
        record = files.parse_record(text, cls.file_kind, cls.file_format)
        with files.errors_called(cls.file_kind):
            population = cls.of_record(record)
            population.provenance_ = dict(record["provenance"])
        if "audit" not in record:
            files.check_identity(record, population.model_id)
        return population


def load_fill_order(path: str | Path | None = None, kind: str | None = None) -> Population:
    """Return a model of fill orders from its file, or the model shipped with nando.

    Parameters
    ----------
    path : str, Path or None
        None takes the shipped model for the kind.
    kind : str or None
        Kind of the puzzles; None accepts any file, and loads the shipped model for Sudoku.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is not such a model, or a model for another kind.
    """
    population = files.read_model(file_of(path, kind or Sudoku.kind), Population.from_json)
    if kind is not None and population.kind != kind:
        raise ValueError(f"{path}: the model is for {population.kind}, not for {kind}")
    return population


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
