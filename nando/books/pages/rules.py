"""The rules of each kind and genre, with drawn examples and a first step."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from nando.books.binder import Binder, Flow, Numbered
from nando.books.kinds import KINDS, PLAIN, BookKind, kind_of
from nando.books.language import Words, ranges
from nando.books.sheet import LEADING, Style
from nando.drawing.boards import board, position, smallest_text
from nando.drawing.rules.board import forms, grids_example, rule_example
from nando.drawing.shapes import Marks, Picture
from nando.puzzles import PuzzleError, Variant
from nando.puzzles.rules.registry import all_sentences, find_rule, rule_name
from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.puzzles.variants.genre import Genre

if TYPE_CHECKING:
    from nando.solvers.logic import LogicStep, PencilMarks, Step


_LARGEST_PAIR_CELL = 26.0


def rules_pages(binder: Binder) -> None:
    """Draw a page for each kind of puzzle in the book."""
    if not binder.spec.include.rules:
        return
    kinds: dict[str, list[Numbered]] = {}
    for _, numbered in binder.number_sections():
        for item in numbered:
            kinds.setdefault(kind_of(item.record.puzzle), []).append(item)
    for name, items in kinds.items():
        if name in KINDS:
            _rules(binder, name, KINDS[name])
        elif items[0].record.puzzle.kind == "variant":
            variant_rules(binder, name, items)


def _rules(binder: Binder, name: str, kind: BookKind) -> None:
    words, size = binder.words, binder.style.size
    title = words(f"rules.{kind.rules}.title", kind=words.kind(name))
    flow = Flow(binder, "rules", f"rules-{name}", title)
    symbols = words(f"rules.{kind.rules}.symbols.{name}") if kind.puzzle == "sudoku" else ""
    for text in words.paragraphs(f"rules.{kind.rules}.text", symbols=symbols):
        flow.paragraph(text)
        flow.skip(0.4 * size)
    if binder.spec.design.large_print:
        _large(flow, kind)
        return
    cell = _cell(flow, kind)
    if cell < size:  # the figures need a page of their own
        flow.turn()
        cell = _cell(flow, kind)
    flow.skip(1.2 * size)
    _pair(flow, kind, cell)
    if kind.first_step is not None:
        _step(flow, kind, cell)


def _large(flow: Flow, kind: BookKind) -> None:
    """Draw the figures of large print one by one."""
    words, style = flow.binder.words, flow.style
    look = style.grid(_LARGEST_PAIR_CELL)
    figures = [
        (words("labels.example"), board(kind.example, look)),
        (words("labels.example_solved"), board(kind.example, look, kind.solution)),
    ]
    if kind.first_step is not None:
        step = kind.first_step(look, Marks(style.tint, style.accent))
        figures.append((words("labels.step"), step))
    flow.skip(1.2 * style.size)
    set_figures(flow, figures)
    if kind.first_step is not None:
        flow.paragraph(words(f"rules.{kind.rules}.step", **kind.said))


def _cell(flow: Flow, kind: BookKind) -> float:
    """Return the largest side of a cell with which all figures fit on the rest of the page."""
    sheet, size = flow.sheet, flow.style.size
    rows, columns = kind.example.shape
    cell = min((sheet.width - GAP * size) / 2 / columns, _LARGEST_PAIR_CELL)
    n_rows = 1 if kind.first_step is None else 2
    return min(cell, (sheet.bottom - flow.y - 4 * n_rows * size) / n_rows / rows)


def _pair(flow: Flow, kind: BookKind, cell: float) -> None:
    """Draw a puzzle and its solution, side by side."""
    words, style, sheet = flow.binder.words, flow.style, flow.sheet
    rows, columns = kind.example.shape
    labels = words("labels.example"), words("labels.example_solved")
    top = flow.y + 0.7 * style.size
    for i, (label, solution) in enumerate(zip(labels, ("", kind.solution), strict=True)):
        x = sheet.left if not i else sheet.right - columns * cell
        sheet.text(x, flow.y, label, style.small, bold=True)
        picture = board(kind.example, style.grid(cell), solution)
        sheet.place(picture, x, top, cell, alternative=label)
    flow.y = top + rows * cell + 2.6 * style.size


def _step(flow: Flow, kind: BookKind, cell: float) -> None:
    """Draw a first step: a picture and its explanation."""
    words, style, sheet = flow.binder.words, flow.style, flow.sheet
    assert kind.first_step is not None
    picture = kind.first_step(style.grid(cell), Marks(style.tint, style.accent))
    sheet.text(sheet.left, flow.y, words("labels.step"), style.small, bold=True)
    top = flow.y + 0.7 * style.size
    sheet.place(picture, sheet.left, top, cell, alternative=words("labels.step"))
    x = sheet.left + picture.width * cell + 1.8 * style.size
    text = words(f"rules.{kind.rules}.step", **kind.said)
    height = picture.height * cell
    n_lines = len(sheet.break_lines(text, style.size, sheet.right - x))
    if n_lines * LEADING * style.size <= height:
        sheet.paragraph(x, top + style.size, text, sheet.right - x)
    else:
        flow.y = top + height + 1.8 * style.size
        flow.paragraph(text)


# ---------------------------------------------------------------- genres of variants


LARGEST_CELL, LARGEST_LARGE_CELL = 22.0, 45.0
"""Side of the largest cell of a figure: usual, and in large print."""
SMALLER_CELLS = (22.0, 20.0, 18.0, 16.0, 14.0)
"""Sides of cells of figures that are tried, so that a first step fits below them."""
GAP = 2.4
"""Gap between two figures, as a multiple of the type."""
_HEAD, _BELOW = 0.7, 2.6
"""Room between a label and its figure, and below a figure, as multiples of the type."""
_LEAST_STEP_CELL = 20.0
"""Side of the smallest cell in which candidates are drawn, in points."""
_RUNNING_HEAD = 4.0
"""Height of the head of a page, as a multiple of the type."""
_MOST_STEPS = 16
"""Number of steps among which to look for the first one by the rules of the genre."""


def variant_rules(binder: Binder, name: str, items: Sequence[Numbered]) -> None:
    """Draw the pages of a genre: its rules in words, and an example of each rule."""
    words, size = binder.words, binder.style.size
    title = words("rules.sudoku.title", kind=words.kind(name))
    flow = Flow(binder, "rules", f"rules-{name}", title)
    genre = Genre.read(name)
    for text in (*_sentences(words, items), words.paragraphs("rules.sudoku.text", symbols="")[-1]):
        flow.paragraph(text)
        flow.skip(0.4 * size)
    flow.skip(1.2 * size)
    shown = forms(rule for item in items for rule in _variant(item).rules)
    figures = _examples(genre, binder.style, words, shown)
    first = first_step(_variant(items[0]), genre.rules, words.language, binder.spec.seed)
    if first is None:
        set_figures(flow, figures)
        return
    before, step, sentence = first
    picture = position(before, step)
    least = binder.style.needed_cell(smallest_text(picture, binder.style.digit))
    least, head = least or _LEAST_STEP_CELL, 2.0 * size

    def fits(top: float) -> bool:
        return step_cell(flow, picture, sentence, top + head) >= least

    # Smaller figures, if they leave room for the step on the same page.
    smaller = (cell for cell in SMALLER_CELLS if fits(flow.y + _height(flow, figures, cell)))
    set_figures(flow, figures, 0.0 if binder.spec.design.large_print else next(smaller, 0.0))
    if not fits(flow.sheet.top + _RUNNING_HEAD * size):
        return
    if not fits(flow.y):
        flow.turn()
    flow.paragraph(words("labels.step"), binder.style.small, bold=True)
    flow.skip(0.5 * size)
    subject = f"the rules ({words('labels.step')})"
    draw_step(flow, before, step, sentence, subject, centred=False)


@lru_cache(maxsize=64)  # a book is laid out until its page numbers stay the same
def first_step(
    puzzle: Variant, rules: tuple[str, ...], language: str, seed: int
) -> tuple["PencilMarks", "LogicStep", str] | None:
    """Return the first step by one of these rules on an image of a puzzle, or else its first step.

    The image does not give any digit of the puzzle away.

    Returns
    -------
    tuple or None
        The position before the step, the step and its sentence; None for a puzzle without any step,
        or with several solutions.
    """
    from nando.solvers.logic import LogicSolver, describe

    image = puzzle.shuffled(np.random.default_rng(seed))
    solver = LogicSolver()
    before: Any = solver.start(image)
    step: Any
    first = None
    try:
        for step in islice(solver.steps(image), _MOST_STEPS):
            first = first or (before, step)
            applied = {*step.rules, *map(before.rule_of_house, step.houses)} - {-1}
            if any(image.rules[number].name in rules for number in applied):
                first = before, step
                break
            before = before.after(step)
    except PuzzleError:  # several solutions, in a book of examples
        return None
    return (*first, describe(first[1], first[0], language=language)) if first else None


def _sentences(words: Words, items: Sequence[Numbered]) -> list[str]:
    """Return the sentences of all rules; a rule that not all puzzles have names its puzzles."""
    numbers: dict[str, list[int]] = {}
    for item in items:
        puzzle = _variant(item)
        said = all_sentences(puzzle.board, puzzle.rules, words.language)
        if puzzle.size > 9:
            n = puzzle.size
            said.insert(1, words.letters(SYMBOLS[n], n))
        for text in said:
            numbers.setdefault(text, []).append(item.number)
    label = words("labels.number")
    return [
        text if len(own) == len(items) else f"{label} {ranges(own)}: {text}"
        for text, own in numbers.items()
    ]


def _variant(item: Numbered) -> Variant:
    puzzle = item.record.puzzle
    assert isinstance(puzzle, Variant)
    return puzzle


def _examples(
    genre: Genre, style: Style, words: Words, shown: frozenset[str]
) -> list[tuple[str, Picture]]:
    """Return the figures that explain a genre, each with its label."""
    look = style.grid(LARGEST_CELL)
    figures = []
    if genre.grids:
        alone = Genre(grids=genre.grids).name(words.language)
        figures.append((alone, grids_example(genre.grids, look, style.tint)))
    for rule in genre.rules:
        label = rule_name(find_rule(rule), words.language)
        figures.append((label, rule_example(rule, look, style.tint, shown)))
    if figures:
        return figures
    fitting = [n for n in PLAIN if n <= genre.digits] or [min(PLAIN)]
    text, solution = PLAIN[max(fitting)]
    puzzle = Variant(text)
    return [
        (words("labels.example"), board(puzzle, look)),
        (words("labels.example_solved"), board(puzzle, look, solution)),
    ]


def set_figures(flow: Flow, figures: Sequence[tuple[str, Picture]], largest: float = 0.0) -> None:
    """Draw figures in one or two columns, with cells of equal size if they fit.

    `largest` is the side of the largest cell; 0 takes the default.
    """
    style = flow.style
    needed = [style.needed_cell(smallest_text(p, style.digit)) for _, p in figures]
    for start, room, cells in _rows(flow, figures, largest):
        row = figures[start : start + len(cells)]
        for i, (label, _) in enumerate(row):
            flow.binder.keep_promise(cells[i], needed[start + i], f"the rules ({label})")
        height = max(cell * picture.height for cell, (_, picture) in zip(cells, row, strict=True))
        flow.make_room(_HEAD * style.size + height)
        for i, (cell, (label, picture)) in enumerate(zip(cells, row, strict=True)):
            x = flow.sheet.left + i * (room + GAP * style.size)
            flow.sheet.text(x, flow.y, label, style.small, bold=True)
            y = flow.y + _HEAD * style.size
            flow.sheet.place(picture, x, y, cell, alternative=label)
        flow.y += (_HEAD + _BELOW) * style.size + height


def _rows(
    flow: Flow, figures: Sequence[tuple[str, Picture]], largest: float
) -> Iterator[tuple[int, float, list[float]]]:
    """Yield for each row the number of its first figure, the width of a column, and its cells."""
    style = flow.style
    gap = GAP * style.size
    needed = [style.needed_cell(smallest_text(p, style.digit)) for _, p in figures]
    largest = largest or (LARGEST_LARGE_CELL if style.design.large_print else LARGEST_CELL)
    widest = max(cell * picture.width for cell, (_, picture) in zip(needed, figures, strict=True))
    columns = min(2, len(figures)) if 2 * widest + gap <= flow.sheet.width else 1
    room = (flow.sheet.width - (columns - 1) * gap) / columns
    for start in range(0, len(figures), columns):
        row = figures[start : start + columns]
        yield start, room, [min(room / picture.width, largest) for _, picture in row]


def _height(flow: Flow, figures: Sequence[tuple[str, Picture]], largest: float) -> float:
    """Return the height of figures with cells of at most this side, without breaks of pages."""
    total = 0.0
    for start, _, cells in _rows(flow, figures, largest):
        heights = (cell * figures[start + i][1].height for i, cell in enumerate(cells))
        total += (_HEAD + _BELOW) * flow.style.size + max(heights)
    return total


# ---------------------------------------------------------------- steps


_LARGEST_STEP = 34.0
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
    n_lines = min(len(sheet.break_lines(sentence, style.size, sheet.width)), _MOST_LINES)
    room = sheet.bottom - top - (1.5 * n_lines + 1) * style.size
    return min(sheet.width / picture.width, room / picture.height, _LARGEST_STEP)
