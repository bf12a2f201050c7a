"""A worksheet: six grids to a page with a question, then the answers, then the solutions."""

from collections.abc import Sequence
from typing import IO

from nando.books.binder import Binder
from nando.books.kinds import solution_of
from nando.books.language import words_of
from nando.books.pages.answers import answer_pages
from nando.books.pdf import write_book
from nando.books.section import Section
from nando.books.sheet import Style, grid_of
from nando.books.spec import BookSpec, Design, Include
from nando.books.trim import page_size
from nando.drawing.walks import Panel
from nando.drawing.walks import Section as WalkSection
from nando.generators.records import Record
from nando.puzzles import Puzzle

PER_PAGE = 6
TRIM = "a4"


def write_worksheet(
    title: str,
    puzzles: Sequence[Puzzle],
    asked: WalkSection,
    answered: WalkSection,
    file: IO[bytes],
    *,
    language: str = "en",
) -> None:
    """Write a worksheet as PDF.

    Parameters
    ----------
    title : str
    puzzles : sequence of Puzzle
    asked, answered : Section
        The task and a position of each puzzle, and the title of the answers and the same positions
        with the step and its sentence.
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
        title=title, language=language, design=design, include=Include(answers=PER_PAGE)
    )
    section = Section(title, tuple(Record(p, solution_of(p)) for p in puzzles), PER_PAGE)
    style, words, size = Style(design, language), words_of(language), page_size(TRIM, 0)
    binder = Binder(spec, [section], words, style, size, {})
    for start in range(0, len(puzzles), PER_PAGE):
        _page(binder, title, asked.summary, asked.panels[start : start + PER_PAGE])
    for start in range(0, len(puzzles), PER_PAGE):
        _page(binder, answered.summary, "", answered.panels[start : start + PER_PAGE])
    answer_pages(binder)
    write_book(binder, file)


def _page(binder: Binder, title: str, task: str, panels: Sequence[Panel]) -> None:
    """Draw a page of grids with a task above, or of answers, each with its sentence below."""
    sheet, style = binder.sheet("puzzles" if task else "answers"), binder.style
    size, gap = style.small, 2.2 * style.size
    top = sheet.heading(title)
    if task:
        top = sheet.paragraph(sheet.left, top, task, sheet.width)
    binder.folio(sheet)
    width = (sheet.width - gap) / 2
    n_lines = max(len(sheet.break_lines(panel.sentence, size, width)) for panel in panels)
    below = 0.4 * style.size if task else (1.3 * n_lines + 1.4) * size
    shape = (panels[0].picture.height, panels[0].picture.width)
    columns, rows = grid_of(PER_PAGE, sheet.width + gap, sheet.bottom - top, shape)
    across = (sheet.width - (columns - 1) * gap) / columns
    down = (sheet.bottom - top) / rows
    cell = min(across / shape[1], (down - below - 1.2 * style.size) / shape[0])
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        x, y = sheet.left + column * (across + gap), top + row * down
        sheet.text(x, y + style.size, panel.numbers, 1.2 * style.size, bold=True)
        y += 1.2 * style.size
        name = binder.name(f"puzzle-{panel.number}", sheet) if task else ""
        sheet.place(panel.picture, x, y, cell, name)
        if not task:
            y += shape[0] * cell + 1.2 * size
            sheet.paragraph(x, y, panel.sentence, across, size, leading=1.3)
