"""A part of a book as its spec describes it."""

import re
from dataclasses import dataclass

from nando.books.kinds import KINDS
from nando.checks import shape_of
from nando.puzzles.variants.genre import Genre
from nando.records import Settings, among, between, setting

PER_PAGE = (1, 2, 4, 6, 8, 9, 12)
_SIZE = re.compile(r"[1-9]\d?x[1-9]\d?")


def _above_zero(name: str, value: float | None) -> float | None:
    if value is not None and not 0 < value < 1e5:
        raise ValueError(f"{name} must be above 0, got {value:g}")
    return value


@dataclass(frozen=True, kw_only=True)
class Part(Settings):
    """A part of a book.

    Attributes
    ----------
    kind : str
        ``"9x9"``, ``"16x16"``, ``"25x25"`` or ``"nurikabe"``; or for variants the rules, for
        example ``"killer"`` or ``"diagonals,anti-knight"``, an arrangement of grids, for example
        ``"samurai"``, or a size alone.
    grade : str
        Name of a grade. Alternatives are `minutes` and `points`; without any of them, puzzles have
        any difficulty.
    minutes, points : float or None
        Predicted time of a typical person, or points for kinds rated in points.
    count : int
    per_page : {1, 2, 4, 6, 8, 9, 12}
        Most puzzles on a page. There are fewer if their cells would be too small to write in.
    symmetry : str
        Symmetry of the givens of a Sudoku, and of cages and jigsaw regions.
    givens : int or None
        Number of givens; may be 0 for rules that need none. Default: as many as needed.
    size : str
        Columns and rows of a Nurikabe or a variant, for example ``"10x10"``.
    title : str
        Title of the part; default: the grade or the time, in the language of the book.
    from_ : str
        A file of puzzles to choose from, ``from`` in a TOML file; empty to make them.
    """

    kind: str = "9x9"
    grade: str = ""
    minutes: float | None = setting(None, _above_zero)
    points: float | None = setting(None, _above_zero)
    count: int = setting(12, between(1))
    per_page: int = setting(4, among(PER_PAGE))
    symmetry: str = ""
    size: str = ""
    title: str = ""
    givens: int | None = setting(None, between(0))
    from_: str = ""

    def check(self) -> None:
        """Check the kind, and the settings that depend on it."""
        genre = self._genre()
        difficulties = {"grade": self.grade, "minutes": self.minutes, "points": self.points}
        given = [name for name, value in difficulties.items() if value not in ("", None)]
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)} contradict each other: give one of them")
        if self.size and self.kind != "nurikabe" and genre is None:
            raise ValueError(
                f"size is for Nurikabe and variants, got {self.size!r} for {self.kind}; "
                f"for a Sudoku of this size, write kind = {self.size!r}"
            )
        if self.size and not _SIZE.fullmatch(self.size):
            raise ValueError(f"size must be columns x rows, such as 10x10, got {self.size!r}")
        for name in ("symmetry", "givens"):
            if self.kind == "nurikabe" and getattr(self, name) not in ("", None):
                value = getattr(self, name)
                raise ValueError(f"{name} is for Sudoku, got {value!r} for {self.kind}")

    def _genre(self) -> Genre | None:
        """Return the genre of a variant; None for any other kind."""
        if self.kind in KINDS:
            return None
        try:
            return Genre.read(self.kind, self.size)
        except ValueError as error:
            raise ValueError(
                f"kind must be one of {', '.join(KINDS)}, a size such as 6x6, or rules of variants "
                f"such as killer or diagonals,anti-knight, got {self.kind!r}: {error}"
            ) from None

    @property
    def shape(self) -> tuple[int, int] | None:
        """Rows and columns of its Nurikabe; None without a requested size, and for other kinds."""
        if self.kind != "nurikabe" or not self.size:
            return None
        return shape_of(self.size)

    @property
    def kind_name(self) -> str:
        """The name of the kind or genre, as :func:`nando.books.kinds.kind_of` returns it."""
        return str(self._genre() or self.kind)
