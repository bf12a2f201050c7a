"""Programs that fill a Sudoku or a variant."""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.evidence.reading import ENTERED, SCAN, Program
from nando.puzzles import Sudoku, Variant
from nando.solvers.people.fills.choices import Replay
from nando.solvers.people.fills.features import Feature
from nando.solvers.people.fills.variant_thought import static_board

_BEYOND = 1e4
"""Added to the sort key of cells that come after all others."""


class Scene(NamedTuple):
    """Every open cell before every fill of a game; all arrays have the shape (n_rows,).

    Attributes
    ----------
    size : int
    replay : Replay
    row, column, box, digit : ndarray of int64
        House of the cell, and the digit of its solution, all from 0.
    single, naked, in_box, in_line : ndarray of bool
        Whether the cell is a single, and of which kinds.
    candidates : ndarray of float64
        Number of candidates.
    distance : ndarray of float64
        Squared distance from the last fill; 0 before the first.
    pairs : ndarray of float64
        0 if the cell would end a pair of fills in one box, or begin a pair in another; else 1.
    """

    size: int
    replay: Replay
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    box: NDArray[np.int64]
    digit: NDArray[np.int64]
    single: NDArray[np.bool_]
    naked: NDArray[np.bool_]
    in_box: NDArray[np.bool_]
    in_line: NDArray[np.bool_]
    candidates: Floats
    distance: Floats
    pairs: Floats

    def after(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Move the places before the last fill to the end, so that a round continues from there."""
        chosen = places[self.replay.chosen]
        last = np.repeat(np.concatenate([[-1], chosen[:-1]]), np.diff(self.replay.starts))
        return np.where(places > last, places, places + int(_BEYOND) // 2)


def scene_of(puzzle: Sudoku | Variant, replay: Replay) -> Scene:
    """Return the data by which programs choose in a game."""
    size, table = puzzle.size, replay.table
    if isinstance(puzzle, Sudoku):
        boxes = puzzle.layout.house_of[:, 2].astype(np.int64) - 2 * size
    else:
        boxes = np.zeros(puzzle.givens.size, np.int64)
        boxes[puzzle.places] = static_board(puzzle).houses[:, 2]
    row, column = np.divmod(replay.cells, puzzle.shape[1])
    box = boxes[replay.cells]
    lengths = np.diff(replay.starts)
    filled = box[replay.chosen]
    # True if the last fill ended a pair in its box; runs of an even length are pairs.
    open_pair = np.zeros(len(filled) + 1, bool)
    for k in range(len(filled)):
        open_pair[k + 1] = not (open_pair[k] and k > 0 and filled[k] == filled[k - 1])
    last_box = np.concatenate([[-1], filled[:-1]])
    same = box == np.repeat(last_box, lengths)
    pairs = (same != np.repeat(open_pair[:-1], lengths)).astype(np.float64)
    return Scene(
        size=size,
        replay=replay,
        row=row,
        column=column,
        box=box,
        digit=np.rint(table[:, Feature.DIGIT] * size).astype(np.int64),
        single=np.asarray((table[:, : Feature.NAKED_SINGLE + 1] > 0).any(axis=1)),
        naked=table[:, Feature.NAKED_SINGLE] > 0,
        in_box=table[:, Feature.BOX_SINGLE] > 0,
        in_line=(table[:, Feature.ROW_SINGLE] + table[:, Feature.COLUMN_SINGLE]) > 0,
        candidates=np.rint(np.exp(table[:, Feature.LOG_CANDIDATES])).astype(np.float64),
        distance=np.rint((table[:, Feature.DISTANCE] * size) ** 2).astype(np.float64),
        pairs=pairs,
    )


_Places = Callable[[Scene], NDArray[np.int64]]


def _rows(scene: Scene) -> NDArray[np.int64]:
    return scene.row * scene.size + scene.column


def _columns(scene: Scene) -> NDArray[np.int64]:
    return scene.column * scene.size + scene.row


def _boxes(scene: Scene) -> NDArray[np.int64]:
    return scene.box * scene.size**2 + _rows(scene)


def _digits(scene: Scene) -> NDArray[np.int64]:
    return scene.digit * scene.size**2 + _rows(scene)


def _back(places: _Places) -> _Places:
    return lambda scene: -places(scene)


def _going_on(places: _Places) -> _Places:
    return lambda scene: scene.after(places(scene))


def _there_and_back(scene: Scene) -> NDArray[np.int64]:
    turned = np.where(scene.row % 2, scene.size - 1 - scene.column, scene.column)
    return scene.row * scene.size + turned


_LISTS: Mapping[str, tuple[str, _Places]] = {
    "rows": ("row by row", _rows),
    "columns": ("column by column", _columns),
    "boxes": ("box by box", _boxes),
    "digits": ("digit by digit", _digits),
    "rows back": ("row by row from the end", _back(_rows)),
    "columns back": ("column by column from the end", _back(_columns)),
    "there and back": ("row by row, there and back", _there_and_back),
}


def _first_of(*kinds: Callable[[Scene], NDArray[np.bool_]]) -> Callable[[Scene], NDArray[np.int64]]:
    """Return the index of the first kind to which a cell belongs, or the number of kinds."""

    def rank(scene: Scene) -> NDArray[np.int64]:
        firsts = np.full(len(scene.row), len(kinds), np.int64)
        for i, kind in reversed(list(enumerate(kinds))):
            firsts[kind(scene)] = i
        return firsts

    return rank


_any_single = _first_of(lambda scene: scene.single)
_naked_first = _first_of(lambda scene: scene.naked, lambda scene: scene.single)
_hidden_first = _first_of(
    lambda scene: scene.in_box, lambda scene: scene.in_line, lambda scene: scene.naked
)


def _exact_cover(scene: Scene) -> Floats:
    """Return the first constraint with one option: cells, then digits in rows, columns, boxes."""
    by_line = _BEYOND + scene.row * scene.size + scene.digit
    by_box = 2 * _BEYOND + scene.box * scene.size + scene.digit
    single = np.where(scene.naked, _rows(scene), np.where(scene.in_line, by_line, by_box))
    return np.where(scene.single, single, 3 * _BEYOND + scene.candidates * _BEYOND + _rows(scene))


def _sort_by(
    rank: Callable[[Scene], Any], then: Callable[[Scene], Any]
) -> Callable[[Scene], Floats]:
    """Sort by rank, then by place."""
    return lambda scene: np.asarray(_BEYOND * rank(scene) + then(scene))


def _in_turn() -> Iterator[tuple[str, Program]]:
    """Yield the programs that go through the cells in the order of a list."""
    for name, (words, places) in _LISTS.items():
        yield f"typed: {name}", Program("typing", f"types the solution {words}", places, ENTERED)
    for name in ("rows", "columns", "boxes", "digits"):
        words, places = _LISTS[name]
        yield (
            f"typed on: {name}",
            Program(
                "typing",
                f"types part of the solution {words}",
                _going_on(places),
                ENTERED,
            ),
        )
        for short, description, rank in (
            ("first single", "the first single", _any_single),
            ("first naked single", "the first naked single", _naked_first),
            ("first hidden single", "the first hidden single", _hidden_first),
        ):
            yield (
                f"{short}: {name}",
                Program("scan", f"fills {description} {words}", _sort_by(rank, places)),
            )
            yield (
                f"{short}, going on: {name}",
                Program(
                    "scan",
                    f"fills {description} {words}",
                    _sort_by(rank, _going_on(places)),
                    SCAN,
                ),
            )


_distance, _few, _swaps = attrgetter("distance"), attrgetter("candidates"), attrgetter("pairs")
PROGRAMS: Mapping[str, Program] = {
    **dict(_in_turn()),
    "exact cover": Program("scan", "searches an exact cover", _exact_cover),
    "any single": Program("singles", "fills any single", _any_single),
    "any cell": Program(
        "random", "types the solution in any order", lambda scene: np.zeros(len(scene.row)), ENTERED
    ),
    "nearest single": Program(
        "locality", "fills the single nearest to the last", _sort_by(_any_single, _distance)
    ),
    "nearest cell": Program(
        "locality", "types the solution from each cell to the nearest", _distance, ENTERED
    ),
    "fewest candidates": Program("search", "searches where fewest candidates are", _few),
    "fewest candidates: rows": Program(
        "search", "searches where fewest candidates are, row by row", _sort_by(_few, _rows)
    ),
    "fewest candidates, newest": Program(
        "search", "searches where fewest candidates are, near the last", _sort_by(_few, _distance)
    ),
    "swaps": Program("search", "swaps cells of a box until all is right", _swaps),
    "swaps, few candidates": Program(
        "search",
        "swaps cells of a box, the clearest first",
        lambda scene: scene.pairs + 0.5 * (scene.candidates > 2),
    ),
}
"""Programs with which an audit compares players of Sudoku and variants, by name."""
