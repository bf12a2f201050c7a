"""A worksheet: six grids to a page with a question, then the answers, then the solutions."""

from collections.abc import Sequence
from typing import IO, NamedTuple

from nando.books.binder import Binder
from nando.books.language import words_of
from nando.books.pages.answers import answer_pages
from nando.books.pdf import write_book
from nando.books.section import Section
from nando.books.sheet import Style, grid_of
from nando.books.spec import BookSpec, Design, Include
from nando.books.trim import page_size
from nando.drawing.shapes import Picture
from nando.generators.records import Record

PER_PAGE = 6
TRIM = "a4"


class Exercise(NamedTuple):
    """A grid with a question, and its answer.

    Attributes
    ----------
    record : Record
        The puzzle with its solution.
    board, answer : Picture
        The position, and the position with the step.
    sentence : str
        The step in words.
    """

    record: Record
    board: Picture
    answer: Picture
    sentence: str


class Texts(NamedTuple):
    """The title of a worksheet, its task, and the title of the answers."""

    title: str
    task: str
    answers: str


def write_worksheet(
    exercises: Sequence[Exercise],
    texts: Texts,
    file: IO[bytes],
    *,
    language: str = "en",
) -> None:
    """Write a worksheet as PDF.

    Parameters
    ----------
    exercises : sequence of Exercise
    texts : Texts
    file : binary file
    language : str
        One of the languages of books.

    Raises
    ------
    ImportError
        If fonts or reportlab are not installed.
    """
    design = Design(trim=TRIM, multiple=1, colour=True)
    spec = BookSpec(
        title=texts.title, language=language, design=design, include=Include(answers=PER_PAGE)
    )
    section = Section(texts.title, tuple(exercise.record for exercise in exercises), PER_PAGE)
    style, words, size = Style(design, language), words_of(language), page_size(TRIM, 0)
    binder = Binder(spec, [section], words, style, size, {})
    for start in range(0, len(exercises), PER_PAGE):
        _page(binder, exercises, start, texts, answers=False)
    for start in range(0, len(exercises), PER_PAGE):
        _page(binder, exercises, start, texts, answers=True)
    answer_pages(binder)
    write_book(binder, file)


def _page(
    binder: Binder, exercises: Sequence[Exercise], start: int, texts: Texts, *, answers: bool
) -> None:
    """Draw a page of grids with a line above, or of answers with a sentence below."""
    sheet, style = binder.sheet("answers" if answers else "puzzles"), binder.style
    page = exercises[start : start + PER_PAGE]
    size, gap = style.small, 2.2 * style.size
    top = sheet.heading(texts.answers if answers else texts.title)
    if not answers:
        top = sheet.paragraph(sheet.left, top, texts.task, sheet.width)
    binder.folio(sheet)
    n_lines = max(
        len(sheet.break_lines(exercise.sentence, size, (sheet.width - gap) / 2))
        for exercise in page
    )
    below = (1.3 * n_lines + 1.4) * size if answers else 0.4 * style.size
    shape = (page[0].board.height, page[0].board.width)
    columns, rows = grid_of(PER_PAGE, sheet.width + gap, sheet.bottom - top, shape)
    across = (sheet.width - (columns - 1) * gap) / columns
    down = (sheet.bottom - top) / rows
    cell = min(across / shape[1], (down - below - 1.2 * style.size) / shape[0])
    for i, exercise in enumerate(page):
        row, column = divmod(i, columns)
        x, y = sheet.left + column * (across + gap), top + row * down
        sheet.text(x, y + style.size, str(start + i + 1), 1.2 * style.size, bold=True)
        y += 1.2 * style.size
        picture = exercise.answer if answers else exercise.board
        name = "" if answers else binder.name(f"puzzle-{start + i + 1}", sheet)
        sheet.place(picture, x, y, cell, name)
        if answers:
            y += shape[0] * cell + 1.2 * size
            sheet.paragraph(x, y, exercise.sentence, across, size, leading=1.3)
