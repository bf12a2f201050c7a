"""Find games that repeat another game, cell by cell, on the same or an equivalent puzzle.

Cells of equivalent Sudokus are matched by colours that no symmetry changes, so that relabelled
digits, turned grids and permuted lines hide nothing. Other puzzles are compared only if they are
equal. For every pair of games on equivalent puzzles, the common steps from one fill to the next are
counted. A copy is modelled as a program that makes each of these steps with near certainty. Its
odds compare this with the best that common orders explain, of people, of typed solutions and of
programs, and are corrected for all pairs that were compared. An order that two strangers may share,
for example row by row, is therefore no copy. The other player is named only if the delays agree,
too, because the order alone cannot show who copied.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.evidence.reading import Reading
from nando.games.evidence.words import odds_in_words
from nando.games.game import Game
from nando.games.said import Said, figure, say
from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.sudoku.layout import cell_colours

LEAST_SHARE = 0.8
"""Least share of common steps of two games that are reported."""
_LEAST_FILLS = 10
_SURE = 0.98
"""Probability with which a copy continues like the original."""
_LEAST_ODDS = float(np.log(1e6))
"""Least log odds of a rare order. It takes a few fills to recognise a common one."""
_LEAST_ALIKE, _LEAST_DEVIATIONS = 0.5, 4.0
"""Least correlation of delays that agree, and the least standard deviations of Fisher's z."""


class Copy(NamedTuple):
    """Two games in the same order.

    Attributes
    ----------
    first, second : int
        Indices of the games.
    n_same, n_steps : int
        Number of common steps from fill to fill, and of all steps of the second game.
    disguised : bool
        Whether the texts of the puzzles differ.
    log_odds : float
        Log odds of a copy against an order that is common, corrected for all pairs.
    delays : float
        Correlation of the logarithms of their delays; NaN without delays.
    """

    first: int
    second: int
    n_same: int
    n_steps: int
    disguised: bool
    log_odds: float
    delays: float

    @property
    def delays_agree(self) -> bool:
        """True if the delays of both games correlate far beyond chance."""
        if not self.delays >= _LEAST_ALIKE:
            return False
        deviations = np.arctanh(min(self.delays, _SURE)) * np.sqrt(max(self.n_same - 3, 0))
        return bool(deviations >= _LEAST_DEVIATIONS)


def copies(readings: Sequence[Reading]) -> list[Copy]:
    """Return pairs of games of different players with the same order, most certain first.

    Two games of players without names are not reported, since both may be the same game.
    """
    groups: dict[int | str, list[int]] = defaultdict(list)
    for i, reading in enumerate(readings):
        game = reading.game
        if len(game.cells) >= _LEAST_FILLS:
            groups[_class_of(game.puzzle)].append(i)
    n_pairs = sum(len(group) * (len(group) - 1) // 2 for group in groups.values())
    pairs: list[Copy] = []
    for group in groups.values():
        if len(group) > 1:
            pairs += _copies_of([(i, readings[i]) for i in group], n_pairs)
    rare = [copy for copy in pairs if copy.log_odds > _LEAST_ODDS]
    return sorted(rare, key=lambda copy: -copy.log_odds)


def _copies_of(group: Sequence[tuple[int, Reading]], n_pairs: int) -> list[Copy]:
    orders = [_colours_in_order(reading.game) for _, reading in group]
    known = {colour: i for i, colour in enumerate(np.unique(np.concatenate(orders)).tolist())}
    steps = np.zeros((len(group), len(known) ** 2), np.float32)
    coded = []
    for row, order in zip(steps, orders, strict=True):
        cells = np.array([known[colour] for colour in order.tolist()])
        codes = cells[:-1] * len(known) + cells[1:]
        row[codes] = 1.0
        coded.append(codes)
    counts = steps @ steps.T
    lengths = np.array([len(codes) for codes in coded])
    shares = counts / np.minimum.outer(lengths, lengths)
    firsts, seconds = np.nonzero(np.triu(shares >= LEAST_SHARE, 1))
    pairs = []
    for a, b in zip(firsts.tolist(), seconds.tolist(), strict=True):
        (i, first), (j, other) = group[a], group[b]
        if first.game.player == other.game.player:
            continue
        same = steps[a][coded[b]] > 0
        n_open = other.game.n_blanks - np.arange(1, len(same) + 1)
        missed = np.log((1 - _SURE) / n_open)
        gained = np.where(same, np.log(_SURE), missed) - other.usual_log_chances()[1:]
        pairs.append(
            Copy(
                i,
                j,
                int(same.sum()),
                len(same),
                first.game.puzzle.text != other.game.puzzle.text,
                float(gained.sum() - np.log(n_pairs)),
                _alike(first.game, other.game, orders[a], orders[b]),
            )
        )
    return pairs


def _class_of(puzzle: Puzzle) -> int | str:
    """Return a key that equivalent Sudokus share, and other puzzles only if they are equal."""
    return puzzle.equivalence_hash() if isinstance(puzzle, Sudoku) else puzzle.text


def _colours_in_order(game: Game) -> NDArray[np.int64]:
    if not isinstance(game.puzzle, Sudoku):
        return game.cells.astype(np.int64)
    return np.asarray(cell_colours(game.puzzle.givens, game.puzzle.layout)[game.cells])


def _alike(
    first: Game, other: Game, colours: NDArray[np.int64], others: NDArray[np.int64]
) -> float:
    """Return the correlation of the log delays of the cells of both games."""
    _, places, other_places = np.intersect1d(colours, others, return_indices=True)
    delays = np.stack([first.delays[places], other.delays[other_places]])
    delays = np.log(np.maximum(delays[:, np.isfinite(delays).all(axis=0)], 0.01))
    if delays.shape[1] < _LEAST_FILLS or (delays.std(axis=1) == 0).any():
        return float("nan")
    return float(np.asarray(np.corrcoef(delays))[0, 1])


def notes_on_copies(readings: Sequence[Reading]) -> dict[int, list[Said]]:
    """Return the sentences on games that repeat others, by the index of the game."""
    notes: dict[int, list[Said]] = defaultdict(list)
    for copy in copies(readings):
        for i, other in ((copy.first, copy.second), (copy.second, copy.first)):
            if len(notes[i]) < 3:
                notes[i].append(_copy_in_words(copy, readings[other].game))
    return notes


def _copy_in_words(copy: Copy, other: Game) -> Said:
    fields = {
        "n": copy.n_same,
        "all": copy.n_steps,
        "disguise": say("evidence.copy_disguise") if copy.disguised else "",
        "times": odds_in_words(copy.log_odds),
    }
    if not copy.delays_agree:
        return say("evidence.copy_unnamed", **fields)
    whose = say("evidence.copy_whose", player=other.player) if other.player else ""
    return say(
        "evidence.copy", game=other.name, whose=whose, r=figure(copy.delays, ".2f"), **fields
    )
