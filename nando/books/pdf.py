"""A laid-out book as PDF: vector graphics, embedded fonts, the same bytes every time."""

import math
from collections.abc import Container
from typing import IO, Any

from nando.books.layout import (
    COLUMNS,
    HEADER,
    HINT_LEGEND,
    LABEL,
    ROW,
    STAR_SHAPE,
    STARS,
    STARS_WIDTH,
    TIME,
    Figure,
    Layout,
    Page,
    print_style,
)
from nando.drawing.kinds import board
from nando.drawing.pdf import FontNames, Pencil

REGULAR, BOLD = "Vera", "VeraBd"
INK, GREY, PALE = 0.0, 0.38, 0.75


def write_pdf(layout: Layout, file: IO[bytes]) -> None:
    """Write a book into a binary file.

    Raises
    ------
    ImportError
        Where reportlab is not installed.
    ValueError
        Where a title has characters that the font has not.
    """
    try:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as error:
        raise ImportError(
            "a PDF book needs reportlab, which is not installed: pip install 'nando[book]'; "
            "or write the book as .html"
        ) from error
    for name in (REGULAR, BOLD):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    _check_characters(layout, pdfmetrics.getFont(REGULAR).face.charToGlyph)
    canvas = Canvas(
        file,
        pagesize=(layout.size.width, layout.size.height),
        # No time and no random name go into the file: equal books are equal bytes.
        invariant=1,
        pageCompression=1,
        # Otherwise every page begins with Helvetica, which would not be embedded.
        initialFontName=REGULAR,
    )
    canvas.setTitle(layout.title)
    canvas.setSubject(layout.subtitle)
    canvas.setAuthor("nando")
    canvas.setCreator("nando")
    press = _Press(canvas, layout)
    for page in layout.pages:
        press.print(page)
    canvas.save()


def _check_characters(layout: Layout, glyphs: Container[int]) -> None:
    texts = [layout.title, layout.subtitle, layout.footer, *(p.heading for p in layout.pages)]
    missing = sorted({char for text in texts for char in text if ord(char) not in glyphs})
    if missing:
        raise ValueError(
            f"the font of PDF books has no {' '.join(missing)}; "
            "use Latin letters in titles, or write the book as .html"
        )


class _Press:
    """Draws pages; y runs down from the top of the text area, as in the layout."""

    def __init__(self, canvas: Any, layout: Layout) -> None:
        self.canvas = canvas
        self.layout = layout
        self.width, self.height = layout.size.area

    def print(self, page: Page) -> None:
        size, canvas = self.layout.size, self.canvas
        canvas.setPageSize((size.width, size.height))
        canvas.translate(size.left(page.number), size.height - size.top)
        canvas.setLineCap(2)
        if page.kind == "title":
            self.title_page()
        else:
            self.frame(page)
            getattr(self, page.kind)(page)
        canvas.showPage()

    # Text

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        font: str = REGULAR,
        grey: float = INK,
        align: str = "left",
        width: float = math.inf,
    ) -> float:
        """Set a line on the baseline `y`, cut to `width`; its width."""
        measure = self.canvas.stringWidth
        if measure(text, font, size) > width:
            while text and measure(text + "…", font, size) > width:
                text = text[:-1].rstrip()
            text += "…"
        length: float = measure(text, font, size)
        shift = {"left": 0.0, "right": length, "centre": length / 2}[align]
        self.canvas.setFillGray(grey)
        self.canvas.setFont(font, size)
        self.canvas.drawString(x - shift, -y, text)
        return length

    def paragraph(
        self, y: float, text: str, size: float, width: float, align: str = "left"
    ) -> float:
        """Set small grey text below `y`; where it ends."""
        from reportlab.lib.utils import simpleSplit

        x = self.width / 2 if align == "centre" else 0
        for line in simpleSplit(text, REGULAR, size, width):
            y += 1.45 * size
            self.text(x, y, line, size, grey=GREY, align=align)
        return y

    def rule(self, y: float, width: float, grey: float = INK) -> None:
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(width)
        self.canvas.line(0, -y, self.width, -y)

    def stars(self, x: float, y: float, count: int, size: float) -> float:
        """Five stars on the baseline `y` that end at `x`, `count` of them filled; their width."""
        if not count:
            return 0.0
        pitch = 1.06 * size
        for grey, numbers in ((PALE, range(count, STARS)), (INK, range(count))):
            path = self.canvas.beginPath()
            for i in numbers:
                middle = x - (STARS - 0.5 - i) * pitch
                corners = [
                    (middle + size * across, -y + size * (up + 0.42)) for across, up in STAR_SHAPE
                ]
                path.moveTo(*corners[0])
                for corner in corners[1:]:
                    path.lineTo(*corner)
                path.close()
            self.canvas.setFillGray(grey)
            self.canvas.drawPath(path, stroke=0, fill=1)
        return STARS * pitch

    # Parts of every page

    def frame(self, page: Page) -> None:
        """Header and footer; the page number stands at the outer edge."""
        room = self.width - self.canvas.stringWidth(page.detail, REGULAR, 8) - 20
        room -= STARS_WIDTH if page.stars else 0
        length = self.text(0, 8, page.heading, 11, BOLD, width=room)
        self.stars(length + 56, 8, page.stars, 8.5)
        self.text(self.width, 8, page.detail, 8, grey=GREY, align="right")
        self.rule(15, 0.6)
        low = self.height + 26
        inner, outer = ("left", "right") if page.number % 2 else ("right", "left")
        edge = {"left": 0.0, "right": self.width}
        number = self.text(edge[outer], low, str(page.number), 9, align=outer)
        room = self.width - number - 20
        self.text(edge[inner], low, self.layout.footer, 6.5, grey=GREY, align=inner, width=room)
        if page.opens:
            self.canvas.bookmarkPage(_anchor(page.number))
            self.canvas.addOutlineEntry(page.heading, _anchor(page.number), level=0)

    def figure(self, figure: Figure, solution: str = "", weight: float = 1.0) -> None:
        drawn = board(figure.record.puzzle, print_style(figure.cell, weight), solution)
        fonts = FontNames(REGULAR, BOLD, REGULAR)
        Pencil(self.canvas, fonts, 0.729).draw(drawn, figure.x, -figure.y, figure.cell)

    # Kinds of page

    def title_page(self) -> None:
        from reportlab.lib.utils import simpleSplit

        layout, middle = self.layout, self.width / 2
        size, measure = min(0.12 * self.width, 54.0), self.canvas.stringWidth
        while size > 12 and (
            max(measure(word, BOLD, size) for word in layout.title.split()) > self.width
            or len(simpleSplit(layout.title, BOLD, size, self.width)) > 2
        ):
            size -= 1
        y = 0.13 * self.height
        self.rule(y, 1.7)
        y += 0.5 * size
        for line in simpleSplit(layout.title, BOLD, size, self.width):
            y += 1.12 * size
            self.text(middle, y, line, size, BOLD, align="centre")
        y = self.paragraph(y + 14, layout.subtitle, 13, 0.9 * self.width, "centre") + 0.6 * size + 6
        self.rule(y, 1.7)
        rows, columns = layout.cover.puzzle.shape
        room = self.height - y - 40
        cell = min(0.62 * self.width / columns, 0.72 * room / rows)
        corner = middle - cell * columns / 2, y + (room - cell * rows) / 2
        self.figure(Figure(0, layout.cover, *corner, cell))
        self.text(middle, self.height + 26, layout.footer, 6.5, REGULAR, GREY, "centre", self.width)

    def contents(self, page: Page) -> None:
        right = self.width
        y = 2 * HEADER - 6
        for place, name in zip(COLUMNS, (self.layout.measure, "puzzles", "page"), strict=True):
            self.text(right - place, y, name, 8, grey=GREY, align="right")
        for entry in page.entries:
            y += ROW
            line = y - 11
            room = right - COLUMNS[0] - TIME - (STARS_WIDTH if entry.stars else 0)
            length = self.text(0, line, entry.title, 11, BOLD, width=room)
            self.stars(length + 56, line, entry.stars, 8.5)
            values = (entry.length, entry.puzzles, str(entry.page))
            for place, value in zip(COLUMNS, values, strict=True):
                self.text(right - place, line, value, 11, align="right")
            self.rule(y, 0.45, PALE)
            box = (0, -y, self.width, ROW - y)
            self.canvas.linkRect("", _anchor(entry.page), box, relative=1, thickness=0)
        if any(entry.length for entry in page.entries):
            self.paragraph(y + 14, self.layout.legend, 8, self.width)

    def puzzles(self, page: Page) -> None:
        for figure in page.figures:
            record, right = figure.record, figure.x + figure.record.puzzle.shape[1] * figure.cell
            line = figure.y - 0.32 * LABEL
            self.text(figure.x, line, str(figure.number), 12, BOLD)
            if record.length:
                right -= self.text(right, line, record.length, 9, align="right") + 8
            self.stars(right, line, record.stars, 8.5)
            self.figure(figure)

    def hints(self, page: Page) -> None:
        self.paragraph(HEADER - 14, HINT_LEGEND, 8, self.width)
        for hint in page.hints:
            self.text(hint.x + 19, hint.y, str(hint.number), 9, BOLD, align="right")
            self.text(hint.x + 26, hint.y, hint.cell, 9)

    def solutions(self, page: Page) -> None:
        for figure in page.figures:
            self.text(figure.x, figure.y - 3.5, str(figure.number), 7, BOLD)
            self.figure(figure, figure.record.solution, weight=0.55)


def _anchor(number: int) -> str:
    return f"page-{number}"
