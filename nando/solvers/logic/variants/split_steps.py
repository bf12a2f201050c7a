"""Steps from the classes of digits on lines: low and high, odd and even, the spans of a renban.

A line leaves its cells a few sets of digits. Each is followed along the lines, and houses are
counted: a row has room for four low digits. What no set allows is false.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.puzzles import Variant
from nando.solvers.logic.finders.finding import add_cell, begin
from nando.solvers.logic.variants.layout import Layout, layout_of
from nando.solvers.logic.variants.rule_state import CLOCK, SPLIT, UNIONS, add_part, remove, takes
from nando.solvers.logic.variants.trials import copy_state, follow
from nando.solvers.variants.tables import Ints, lists


class Splits(NamedTuple):
    """The splits of the rules of a variant; all arrays are read-only.

    Attributes
    ----------
    layout : Layout
    cell_start, cells, class_start, classes : ndarray of int64
        For each split, its cells, and masks of digits in one of which all of them lie.
    rules : ndarray of int64
        For each split, its rule.
    """

    layout: Layout
    cell_start: Ints
    cells: Ints
    class_start: Ints
    classes: Ints
    rules: Ints


@lru_cache(maxsize=64)
def splits_of(puzzle: Variant) -> Splits:
    """Return the splits of the rules of a variant, each once."""
    number_of = puzzle.board.number_of
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for number, rule in enumerate(puzzle.rules):
        for cells, classes in rule.splits(puzzle.board):
            masks = [sum([1 << digit - 1 for digit in own]) for own in classes]
            found.setdefault((tuple([number_of[cell] for cell in cells]), tuple(masks)), number)
    return Splits(
        layout_of(puzzle)[0],
        *lists([cells for cells, _ in found]),
        *lists([masks for _, masks in found]),
        np.array([*found.values()], np.int64),
    )


@lean_kernel
def find_split(splits, state, trials, finding, limit, rating):
    """Find candidates that no class of a split allows, within so many digits entered."""
    layout, trial = splits.layout, trials.state
    for number in range(splits.rules.size):
        cells = splits.cells[splits.cell_start[number] : splits.cell_start[number + 1]]
        begin(finding, rating, 0)
        finding.lists[UNIONS, :] = 0
        n_ways = 0
        for i in range(splits.class_start[number], splits.class_start[number + 1]):
            digits = splits.classes[i]
            if not _allows(state, cells, digits):
                continue
            n_ways += 1
            copy_state(state, trial)
            for cell in cells:
                if trial.mask[cell] & ~digits:
                    trial.mask[cell] &= digits
                    trial.touched[cell] = trial.counts[CLOCK]
            fits = not follow(layout, trial, finding, limit)
            for cell in range(layout.grid.n_cells if fits else 0):
                finding.lists[UNIONS, cell] |= trial.mask[cell]
            _add_class(layout, finding, cells[0], digits, fits)
        if n_ways < 2:
            continue
        for cell in range(layout.grid.n_cells):
            remove(state, finding, cell, ~finding.lists[UNIONS, cell])
        for cell in cells:
            add_cell(finding, cell)
        add_part(finding, SPLIT, number)
        if takes(finding):
            return True
    return False


@inlined_kernel
def _add_class(layout, finding, cell, digits, fits):
    """Add a class as a branch: its digits in the first cell, off if they come to nothing."""
    while digits:
        code = 2 * (cell * layout.grid.size + lowest_bit(digits)) + fits
        digits &= digits - 1
        finding.links[0, finding.head[0]["n_literals"]] = code
        finding.head[0]["n_literals"] += 1
    finding.links[0, finding.head[0]["n_literals"]] = -1
    finding.head[0]["n_literals"] += 1


@inlined_kernel
def _allows(state, cells, digits):
    allowed = True
    for cell in cells:
        allowed &= state.mask[cell] & digits != 0
    return allowed
