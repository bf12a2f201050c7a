"""The page before a part."""

from nando.books.language import dotted
from nando.books.layout.binder import Binder, Entry
from nando.books.section import N_STARS, Section
from nando.drawing.shapes import Picture, Rect
from nando.puzzles import Puzzle, Variant


def divider_page(binder: Binder, section: Section, name: str, entry: Entry) -> None:
    """Add a right-hand page with title, stars and contents of a part."""
    words, style = binder.words, binder.style
    binder.to_right()
    sheet = binder.sheet("divider")
    binder.name(name, sheet, entry)
    if binder.bleed:
        sheet.band(style.tint, -binder.bleed, sheet.size.height + 2 * binder.bleed, binder.bleed)
    middle = sheet.size.width / 2
    pattern = pattern_of(section.records[0].puzzle, style.accent)
    scale = 0.34 * sheet.size.width / pattern.width
    y = 0.26 * sheet.size.height
    sheet.place(pattern, middle - pattern.width * scale / 2, y, scale)
    width = 2 * min(middle - sheet.left, sheet.right - middle)
    size = sheet.title_size(section.title, 2.6 * style.size, width, least=1.2 * style.size)
    y += pattern.height * scale + 2.2 * size
    with sheet.tagged("H1"):
        y = sheet.paragraph(
            middle,
            y,
            section.title,
            width,
            size,
            bold=True,
            align="middle",
            leading=1.15,
            colour=style.accent,
        )
    binder.headed.add(section.title)
    if section.stars:
        star = 1.25 * style.size
        sheet.stars(middle - 1.08 * N_STARS * star / 2, y, section.stars, star)
        y += 2.2 * style.size
    text = dotted(words.n_puzzles(len(section.records)), binder.lengths(section))
    sheet.text(middle, y, text, 1.15 * style.size, colour=style.grey, align="middle")


def pattern_of(puzzle: Puzzle, fill: str) -> Picture:
    """Draw the givens of a puzzle as a pattern of squares, an ornament that reveals nothing.

    The pattern of a variant with few givens includes the cells where its marks begin.
    """
    rows, columns = puzzle.shape
    shown = [bool(given) for given in puzzle.givens.tolist()]
    if isinstance(puzzle, Variant) and sum(shown) < puzzle.size:
        for rule in puzzle.rules:
            for row, column in (cells[0] for cells in rule.groups_named() if cells):
                shown[row * columns + column] = True
    squares = [
        Rect(cell % columns + 0.09, cell // columns + 0.09, 0.82, 0.82, fill)
        for cell, is_shown in enumerate(shown)
        if is_shown
    ]
    frame = Rect(0, 0, columns, rows, None, fill, 0.05)
    return Picture(columns, rows, (*squares, frame))
