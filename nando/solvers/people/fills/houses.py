"""The order in which a Sudoku or a variant is filled as a chain of choices among open cells.

`SUDOKU` and `VARIANT` provide :class:`nando.solvers.people.fills.choices.Choices`. The loops over
fills are kernels, made once for each kind, because the moments of variants consist of other arrays.
A loop in Python would call a kernel for each fill. A fill would then take 21 microseconds on a
Sudoku and 48 on a variant, of which the call alone takes 5 and 10.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Sudoku, Values, Variant
from nando.solvers.people.fills import choices, features, moments, variant_features, variant_moments
from nando.solvers.people.fills.features import Feature
from nando.solvers.people.fills.variant_features import Further
from nando.solvers.people.fills.variant_thought import static_board


@dataclass(frozen=True)
class HouseChoices:
    """The choices on a board of houses; see :class:`nando.solvers.people.fills.choices.Choices`."""

    FEATURES: tuple[str, ...]
    singles: list[int]
    """Columns of the ways in which a cell is a single at a glance."""
    begin: Callable[[Any], tuple[Any, Any, NDArray[np.int64]]]
    """Returns the moment before the first fill, what never changes, and the place of each cell."""
    describe_game: Any
    """The kernel of :meth:`replay`."""
    draw_game: Any
    """The kernel of :meth:`sample`."""

    def replay(
        self,
        puzzle: Any,
        solution: Values,
        cells: NDArray[np.int16],
        table: NDArray[np.float32] | None = None,
    ) -> choices.Replay:
        """Describe every open cell before every fill."""
        result = choices.new_replay(puzzle, len(cells), len(self.FEATURES), table)
        moment, board, places = self.begin(puzzle)
        number_of = np.zeros(puzzle.givens.size, np.int64)
        number_of[places] = np.arange(len(places))
        numbers = number_of[cells]
        table, _, chosen, rows = result
        self.describe_game(moment, board, solution[places], numbers, table, chosen, rows)
        return result._replace(cells=places[rows])

    def at_hand(self, table: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return True for rows whose cell is a single at a glance."""
        return np.asarray((table[:, self.singles] > 0).any(axis=1))

    def supported(self, table: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return True for rows whose cell is a single, at a glance or after some thought."""
        further = [Feature.LOCKED_SINGLE, Feature.SUBSET_SINGLE]
        return np.asarray((table[:, self.singles + further] > 0).any(axis=1))

    def sample(
        self,
        puzzle: Any,
        solution: Values,
        coefficients: NDArray[np.float64],
        runs: int,
        rng: np.random.Generator,
        slips: tuple[float, float] = (0.0, 0.0),
    ) -> NDArray[np.int16]:
        """Draw games from a model."""
        cells = choices.new_sample(puzzle, runs)
        first, board, places = self.begin(puzzle)
        for game in cells:
            self.draw_game(
                choices.copy_record(first), board, solution[places], coefficients, slips, rng, game
            )
        return places[cells].astype(np.int16)


def _loops(look: Any, describe_all: Any, fill: Any) -> tuple[Any, Any]:
    """Return the loops over fills as kernels, for moments of one kind."""

    @lean_kernel
    def describe_game(moment, board, solution, cells, table, chosen, open_cells):
        """Describe every open cell before every fill."""
        row = 0
        for k in range(cells.shape[0]):
            look(moment, board, solution)
            n_open = describe_all(moment, board, solution, table[row:], open_cells[row:])
            chosen[k] = choices.row_of(open_cells, row, n_open, cells[k])
            row += n_open
            fill(moment, board, int(cells[k]), int(solution[cells[k]]))

    @kernel
    def draw_game(moment, board, solution, coefficients, slips, rng, cells):
        """Draw the fills of a game."""
        workspace = choices.new_draws(moment.values.size, coefficients.shape[0])
        table, open_cells, at_hand, _ = workspace
        for k in range(cells.shape[0]):
            look(moment, board, solution)
            n_open = describe_all(moment, board, solution, table, open_cells)
            for i in range(n_open):
                at_hand[i] = moment.ways[open_cells[i]] > 0
            cell = choices.draw(workspace, n_open, coefficients, slips, rng)
            cells[k] = cell
            fill(moment, board, cell, int(solution[cell]))

    return describe_game, draw_game


def _begin_sudoku(puzzle: Sudoku) -> tuple[Any, ...]:
    return moments.first_moment(puzzle), puzzle.layout, np.arange(puzzle.layout.n_cells)


def _begin_variant(puzzle: Variant) -> tuple[Any, ...]:
    places = np.array(puzzle.places, np.int64)
    return variant_moments.first_moment(puzzle), static_board(puzzle), places


_SINGLES = [*range(Feature.NAKED_SINGLE + 1)]

SUDOKU = HouseChoices(
    features.FEATURES,
    _SINGLES,
    _begin_sudoku,
    *_loops(moments.look, features.describe_all, moments.fill),
)

VARIANT = HouseChoices(
    variant_features.FEATURES,
    [*_SINGLES, Further.OTHER_SINGLE],
    _begin_variant,
    *_loops(variant_moments.look, variant_features.describe_all, variant_moments.fill),
)
