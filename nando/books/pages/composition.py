"""Rules, examples and a first step, composed on one page; and steps drawn on their own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from nando.books.binder import Flow
from nando.books.sheet import LARGE_CELL, LEADING
from nando.drawing.boards import smallest_text
from nando.drawing.shapes import Picture
from nando.drawing.symbols import called

Figures = Sequence[tuple[str, Picture]]
"""Pictures, each with its label."""

LARGEST_CELL, LARGEST_LARGE_CELL = 26.0, 45.0
"""Side of the largest cell of an example: usual, and in large print."""
_EXAMPLE_CELLS = range(10, 1 + int(LARGEST_CELL))
_LARGEST_STEP, _LEAST_STEP = 34.0, 17.0
"""Sides of the largest and the smallest cell of a step, in points."""
_STEP_WEIGHT, _ENOUGH = 1.5, 28.0
"""How much more the size of a step counts than that of an example, up to a side of its cells."""
GAP = 2.4
"""Gap between two figures, as a multiple of the type."""
_HEAD, _BELOW, _LOOSEST = 0.7, 2.2, 2.0
"""Room between a label and its figure, below a figure, and most room to spread above and below a
step, as multiples of the type."""
_LEAST_MEASURE = 10.5
"""Least width of a column of text, as a multiple of the type."""
_MOST_LINES = 8
"""Most lines of a sentence for which the page of its picture has room."""


class DrawnStep(NamedTuple):
    """A step to show: its label, its picture, and its explanation."""

    label: str
    picture: Picture
    sentence: str


class _Plan(NamedTuple):
    """An arrangement of a page.

    Attributes
    ----------
    example, step : float
        Sides of the cells of examples and of the step.
    columns : int
        Number of examples side by side; 0 puts them in a column to the right of the text.
    is_beside : bool
        True if the sentence of the step is next to its picture, False if it is below.
    spare : float
        The height that is left over.
    """

    example: float
    step: float
    columns: int
    is_beside: bool
    spare: float

    @property
    def score(self) -> float:
        return self.example + _STEP_WEIGHT * min(self.step, _ENOUGH)


def in_symbols(before: Any, symbols: str) -> Any:
    """Return a position in which letters or pictures stand for digits, as in the design."""
    if not symbols or before.puzzle.kind == "nurikabe":
        return before
    return replace(before, called=called(before.puzzle, symbols))


def compose(flow: Flow, texts: Sequence[str], examples: Figures, step: DrawnStep | None) -> None:
    """Set texts, examples and a step on one page if they fit, as large as they can be together.

    If they do not fit, the step is on a page of its own, or left out where it would be too small
    there. Large print is set from the top down.
    """
    plans: list[_Plan] = []
    apart = step
    if not flow.style.design.large_print:
        plans = [*_plans(flow, texts, examples, step)]
        apart = None if plans else step
        plans = plans or [*_plans(flow, texts, examples, None)]
    if plans:
        best = max(plans, key=lambda plan: (plan.score, plan.columns))
        _set_together(flow, texts, examples, None if apart else step, best)
    else:
        _set_down(flow, texts, examples)
    if apart is not None:
        _set_apart(flow, apart)


def _set_together(
    flow: Flow, texts: Sequence[str], examples: Figures, step: DrawnStep | None, plan: _Plan
) -> None:
    sheet, size = flow.sheet, flow.style.size
    top, aside, foot = flow.y, 0.0, 0.0
    if not plan.columns:
        aside = plan.example * max(picture.width for _, picture in examples)
        set_figures(flow, examples, plan.example, 1, sheet.right - aside)
        aside += GAP * size
        foot, flow.y = flow.y, top
    for text in texts:
        flow.y = sheet.paragraph(sheet.left, flow.y, text, sheet.width - aside) + 0.4 * size
    if plan.columns:
        flow.skip(1.2 * size)
        set_figures(flow, examples, plan.example, plan.columns)
    flow.y = max(flow.y, foot)
    if step is not None:
        flow.skip(min(plan.spare / 2, _LOOSEST * size))
        _set_step(flow, step, plan.step, beside=plan.is_beside)


def _plans(
    flow: Flow, texts: Sequence[str], examples: Figures, step: DrawnStep | None
) -> Iterator[_Plan]:
    """Yield the arrangements that fit on the rest of the page."""
    sheet, size = flow.sheet, flow.style.size
    widest = max(picture.width for _, picture in examples)

    @cache  # most arrangements have a measure in common
    def written(measure: float) -> float:
        return sum(_text_height(flow, text, measure) + 0.4 * size for text in texts)

    for example, columns in product(_EXAMPLE_CELLS, range(len(examples) + 1)):
        gaps = GAP * size * max(columns - 1, 0)
        cell = min(float(example), (sheet.width - gaps) / max(columns, 1) / widest)
        measure = sheet.width if columns else sheet.width - cell * widest - GAP * size
        if measure < _LEAST_MEASURE * size:
            continue
        height = _height(flow, examples, cell, columns or 1)
        text = written(measure)
        height = text + 1.2 * size + height if columns else max(text, height)
        room = sheet.bottom - flow.y - height
        if step is None:
            if room >= 0:
                yield _Plan(cell, 0.0, columns, is_beside=False, spare=room)
            continue
        for is_beside in (False, True):
            found = _step_cell(flow, step, room - _HEAD * size, beside=is_beside)
            if found >= _LEAST_STEP:
                under = 0 if is_beside else _text_height(flow, step.sentence, sheet.width) + size
                spare = room - _HEAD * size - found * step.picture.height - under
                yield _Plan(cell, found, columns, is_beside, spare)


def _text_height(flow: Flow, text: str, width: float) -> float:
    return len(flow.sheet.break_lines(text, flow.style.size, width)) * LEADING * flow.style.size


def _step_cell(flow: Flow, step: DrawnStep, room: float, *, beside: bool) -> float:
    """Return the side of a cell of a step with its sentence in a height; 0 if they do not fit."""
    sheet, size = flow.sheet, flow.style.size
    width, height = step.picture.width, step.picture.height
    if not beside:
        room -= _text_height(flow, step.sentence, sheet.width) + size
        return min(sheet.width / width, room / height, _LARGEST_STEP)
    cell = min((sheet.width - (_LEAST_MEASURE + GAP) * size) / width, room / height, _LARGEST_STEP)
    measure = sheet.width - cell * width - GAP * size
    return cell if _text_height(flow, step.sentence, measure) <= cell * height else 0.0


def _set_step(flow: Flow, step: DrawnStep, cell: float, *, beside: bool) -> None:
    style, sheet = flow.style, flow.sheet
    width, height = cell * step.picture.width, cell * step.picture.height
    sheet.text(sheet.left, flow.y, step.label, style.small, bold=True)
    top = flow.y + _HEAD * style.size
    sheet.place(step.picture, sheet.left, top, cell, alternative=step.sentence)
    if beside:
        x = sheet.left + width + GAP * style.size
        sheet.paragraph(x, top + style.size, step.sentence, sheet.right - x)
        flow.y = top + height
    else:
        flow.y = top + height + 1.2 * style.size
        flow.paragraph(step.sentence)


def set_figures(
    flow: Flow, figures: Figures, cell: float, columns: int, left: float | None = None
) -> None:
    """Draw figures in columns from `left`, by default the margin, with cells of at most `cell`."""
    style, sheet = flow.style, flow.sheet
    needed = [style.needed_cell(smallest_text(p, style.digit)) for _, p in figures]
    for start, room, cells in _rows(flow, figures, cell, columns):
        row = figures[start : start + columns]
        for i, (label, _) in enumerate(row):
            flow.binder.keep_promise(cells[i], needed[start + i], f"the rules ({label})")
        height = max(side * picture.height for side, (_, picture) in zip(cells, row, strict=True))
        flow.make_room(_HEAD * style.size + height)
        sheet = flow.sheet
        for i, (side, (label, picture)) in enumerate(zip(cells, row, strict=True)):
            x = (sheet.left if left is None else left) + i * (room + GAP * style.size)
            if columns > 1:  # from margin to margin
                x += (room - side * picture.width) * i / (columns - 1)
            sheet.text(x, flow.y, label, style.small, bold=True)
            sheet.place(picture, x, flow.y + _HEAD * style.size, side, alternative=label)
        flow.y += (_HEAD + _BELOW) * style.size + height


def _rows(
    flow: Flow, figures: Figures, cell: float, columns: int
) -> Iterator[tuple[int, float, list[float]]]:
    """Yield for each row the number of its first figure, the width of a column, and its cells."""
    room = (flow.sheet.width - (columns - 1) * GAP * flow.style.size) / columns
    for start in range(0, len(figures), columns):
        row = figures[start : start + columns]
        yield start, room, [min(room / picture.width, cell) for _, picture in row]


def _height(flow: Flow, figures: Figures, cell: float, columns: int) -> float:
    """Return the height of figures in columns."""
    return sum(
        (_HEAD + _BELOW) * flow.style.size
        + max(side * figures[start + i][1].height for i, side in enumerate(cells))
        for start, _, cells in _rows(flow, figures, cell, columns)
    )


def _set_down(flow: Flow, texts: Sequence[str], examples: Figures) -> None:
    """Set texts and examples from the top down, on as many pages as they take."""
    style = flow.style
    for text in texts:
        flow.paragraph(text)
        flow.skip(0.4 * style.size)
    flow.skip(1.2 * style.size)
    needed = [style.needed_cell(smallest_text(p, style.digit)) for _, p in examples]
    widest = max(cell * picture.width for cell, (_, picture) in zip(needed, examples, strict=True))
    columns = 2 if len(examples) > 1 and 2 * widest + GAP * style.size <= flow.sheet.width else 1
    set_figures(
        flow, examples, LARGEST_LARGE_CELL if style.design.large_print else LARGEST_CELL, columns
    )


def _set_apart(flow: Flow, step: DrawnStep) -> None:
    """Draw a step on the rest of the page or on the next, unless that is too small."""
    style = flow.style
    least = LARGE_CELL if style.design.large_print else _LEAST_STEP
    head = 2 * style.size
    if step_cell(flow, [step], flow.y + head) < least:
        if step_cell(flow, [step], flow.sheet.top + 3 * head) < least:
            return
        flow.turn()
    flow.paragraph(step.label, style.small, bold=True)
    flow.skip(0.5 * style.size)
    draw_step(flow, step, f"the rules ({step.label})", step_cell(flow, [step], flow.y))


def draw_step(flow: Flow, step: DrawnStep, subject: str, cell: float) -> None:
    """Draw a step with cells of a side, and its sentence below it.

    `subject` names the chapter, for an error about large print.
    """
    style, sheet = flow.style, flow.sheet
    flow.binder.keep_promise(cell, LARGE_CELL, subject)
    sheet.place(
        step.picture, sheet.left, flow.y - 0.7 * style.size, cell, alternative=step.sentence
    )
    flow.y += cell * step.picture.height + 0.8 * style.size
    flow.paragraph(step.sentence)


def step_cell(flow: Flow, steps: Sequence[DrawnStep], top: float) -> float:
    """Return the side of a cell of steps below `top`, with room for their sentences."""
    style, sheet = flow.style, flow.sheet
    n_lines = sum(
        min(len(sheet.break_lines(step.sentence, style.size, sheet.width)), _MOST_LINES)
        for step in steps
    )
    room = sheet.bottom - top - (1.5 * n_lines + 2 * len(steps) - 1) * style.size
    across = sheet.width / max(step.picture.width for step in steps)
    largest = LARGEST_LARGE_CELL if style.design.large_print else _LARGEST_STEP
    return min(across, room / sum(step.picture.height for step in steps), largest)
