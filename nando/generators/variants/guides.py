"""Lines that are drawn before the digits, so that they can be longer than random digits allow."""

from collections.abc import Sequence

from nando.generators.variants.asked import Clues
from nando.generators.variants.board import Canvas, NoGridError, random_board
from nando.generators.variants.candidate import Layout, variant
from nando.generators.variants.choice import points_of
from nando.generators.variants.clues import CLUES
from nando.generators.variants.lines import draw_path
from nando.puzzles.boards.rule import Rule
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import enlist_all, new_work

_BEGUN = 40
"""Most lines begun for one rule."""

_TRIES = 4
"""Attempts to find digits for some lines; after that there are fewer lines."""


def draw_guides(
    canvas: Canvas, layout: Layout, asked: Sequence[Clues]
) -> tuple[list[Rule], Ints | None]:
    """Return long lines that share no cell and do not cross, and random digits that obey them.

    The digits are None if there are no such lines.
    """
    guides: list[Rule] = []
    for clues in asked:
        guides += _lines_of(canvas, layout, clues, guides)
    while guides:
        try:
            digits = random_board(_with(layout, guides).network, canvas.rng, _TRIES)
        except NoGridError:
            digits = None
        if digits is not None:
            return guides, digits
        guides = guides[: len(guides) * 2 // 3]
    return [], None


def _lines_of(canvas: Canvas, layout: Layout, clues: Clues, others: Sequence[Rule]) -> list[Rule]:
    """Return the lines of one rule beside those of others, each possible by itself."""
    make, scope = CLUES[clues.rule.name].line, canvas.scopes[clues.rule.name]
    found, taken = list[Rule](), points_of(others)
    least, most = scope.cells
    for _ in range(0 if make is None else _BEGUN):
        # The longer half of the lengths: the digits will have enough short lines.
        cells = draw_path(canvas, most - canvas.below((most - least) // 2 + 1))
        if make is None or cells is None:
            continue
        line = make(clues.rule, dict(clues.given), cells)
        lines = list(dict.fromkeys((line, line.moved(canvas.image, canvas.image_of_line))))
        own = points_of(lines)
        is_free = len(own) == sum(len(points_of([each])) for each in lines) and not own & taken
        if is_free and len(found) + len(lines) <= scope.clues[1] and _is_possible(layout, lines):
            found += lines
            taken |= own
    return found


def _with(layout: Layout, lines: Sequence[Rule]) -> Layout:
    return Layout.of(variant(layout.board, [*layout.rules, *lines]), layout.groups)


def _is_possible(layout: Layout, lines: Sequence[Rule]) -> bool:
    """Return True if lines say something, and leave candidates in all cells."""
    if not all(any(True for _ in line.constraints(layout.board)) for line in lines):
        return False
    network = _with(layout, lines).network
    masks, work = network.start.copy(), new_work(network)
    enlist_all(masks, network, work)
    return bool(propagate(masks, network, work))
