"""Running text over several pages."""

from nando.books.layout.binder import Binder, Entry
from nando.books.layout.sheet import Sheet
from nando.books.layout.style import LEADING


class Flow:
    """Pages of running text under a heading.

    Attributes
    ----------
    sheet : Sheet
        The page that is being filled.
    y : float
        Baseline of the next line.
    """

    sheet: Sheet
    y: float

    def __init__(self, binder: Binder, kind: str, name: str, title: str) -> None:
        self.binder = binder
        self.style = binder.style
        self._kind, self._name, self._title = kind, name, title
        self.turn()

    def turn(self) -> None:
        """Begin a page: the first has the heading, the others a running head."""
        binder = self.binder
        self.sheet = binder.sheet(self._kind)
        binder.folio(self.sheet)
        if not self._title:
            self.y = self.sheet.top + self.style.size
        elif self._name in binder.places:
            self.y = binder.running_head(self.sheet, self._title) + 2.2 * self.style.size
        else:
            binder.name(self._name, self.sheet, Entry(self._title))
            self.y = self.sheet.heading(self._title)
            binder.headed.add(self._title)

    def make_room(self, height: float) -> None:
        """Start a new page if less than `height` is left below the next baseline."""
        if self.y + height > self.sheet.bottom:
            self.turn()

    def skip(self, height: float) -> None:
        """Move down."""
        self.y += height

    def paragraph(
        self,
        text: str,
        size: float = 0.0,
        *,
        indent: float = 0.0,
        colour: str = "",
        bold: bool = False,
        leading: float = LEADING,
    ) -> None:
        """Set a paragraph."""
        size = size or self.style.size
        width = self.sheet.width - indent
        lines = self.sheet.broken(text, size, width, bold=bold)
        while lines:
            self.make_room(0.0)
            n_fit = 1 + max(0, int((self.sheet.bottom - self.y) / (leading * size)))
            x = self.sheet.left + indent
            with self.sheet.tagged("P"):
                for line in lines[:n_fit]:
                    self.sheet.text(x, self.y, line, size, colour=colour, bold=bold)
                    self.y += leading * size
            lines = lines[n_fit:]
