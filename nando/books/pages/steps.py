"""Draw a step with its sentence, for a technique or as the first step of a variant."""

from typing import TYPE_CHECKING, Any

from nando.books.layout.flow import Flow
from nando.drawing.boards import position, smallest_text
from nando.drawing.shapes import Picture

if TYPE_CHECKING:
    from nando.solvers.logic import Step

_LARGEST_CELL = 34.0
_MOST_LINES = 8
"""Most lines of a sentence for which the page of its picture has room."""


def draw_step(
    flow: Flow, before: Any, step: "Step", sentence: str, subject: str, *, centred: bool = True
) -> None:
    """Draw a step as large as the rest of the page allows, and its sentence below it.

    Parameters
    ----------
    flow : Flow
    before : position of the logic solver
        The position before the step.
    step : Step
    sentence : str
    subject : str
        Name of the chapter, for an error about large print.
    centred : bool
        True to put the picture in the middle of the page, False to begin at its left margin.
    """
    style, sheet = flow.style, flow.sheet
    picture = position(before, step)
    sentence = flow.binder.named(sentence, before.puzzle.shape[0])
    cell = step_cell(flow, picture, sentence, flow.y)
    needed = style.needed_cell(smallest_text(picture, style.digit))
    flow.binder.keep_promise(cell, needed, subject)
    x = sheet.left + (sheet.width - cell * picture.width) / 2 * centred
    sheet.place(picture, x, flow.y - 0.7 * style.size, cell, alternative=sentence)
    flow.y += cell * picture.height + 0.8 * style.size
    flow.paragraph(sentence)


def step_cell(flow: Flow, picture: Picture, sentence: str, top: float) -> float:
    """Return the side of a cell of a picture below `top`, with room for its sentence."""
    style, sheet = flow.style, flow.sheet
    n_lines = min(len(sheet.broken(sentence, style.size, sheet.width)), _MOST_LINES)
    room = sheet.bottom - top - (1.5 * n_lines + 1) * style.size
    return min(sheet.width / picture.width, room / picture.height, _LARGEST_CELL)
