"""Lines that are drawn before the digits, so that they can be longer than random digits allow."""

from collections.abc import Sequence

from nando.generators.variants.asked import Clues
from nando.generators.variants.board import Canvas, NoGridError, random_board
from nando.generators.variants.candidate import Layout, variant
from nando.generators.variants.choice import points_of
from nando.generators.variants.clues import CLUES
from nando.generators.variants.lines import draw_path
from nando.puzzles.boards.rule import Rule
from nando.solvers.variants.tables import Ints

_BEGUN = 200
"""Lines begun for one rule."""


def draw_guides(
    canvas: Canvas, layout: Layout, asked: Sequence[Clues]
) -> tuple[list[Rule], Ints | None]:
    """Return long lines that share no cell and do not cross, and random digits that obey them.

    Each line is drawn where the others leave room, and kept if digits are found at once. The digits
    are None if there are no such lines.
    """
    guides, found = list[Rule](), None
    makers = [(make, clues) for clues in asked if (make := CLUES[clues.rule.name].line)]
    for make, clues in makers:
        (_, count), (least, most) = canvas.scopes[clues.rule.name]
        left = -(-count // len(makers))
        for _ in range(_BEGUN):
            cells = draw_path(canvas, (least, most - canvas.below((most - least) // 2 + 1)))
            if cells is None:
                continue
            line = make(clues.rule, dict(clues.given), cells)
            lines = list(dict.fromkeys((line, line.moved(canvas.image, canvas.image_of_line))))
            if len(lines) > left or not _are_apart([*guides, *lines]):
                continue
            digits = _digits(canvas, layout, [*guides, *lines])
            if digits is not None:
                guides += lines
                found = digits
                left -= len(lines)
                canvas.used.update(cell for each in lines for cell in each.cells_named())
    return guides, found


def _are_apart(lines: Sequence[Rule]) -> bool:
    return len(points_of(lines)) == sum(len(points_of([line])) for line in lines)


def _digits(canvas: Canvas, layout: Layout, lines: Sequence[Rule]) -> Ints | None:
    """Return random digits that obey lines, the last of which says something; None for none."""
    if not any(True for _ in lines[-1].constraints(layout.board)):
        return None
    rules = [*layout.rules, *lines]
    try:
        network = Layout.of(variant(layout.board, rules), layout.groups).network
        return random_board(network, canvas.rng, 1)
    except NoGridError:
        return None
