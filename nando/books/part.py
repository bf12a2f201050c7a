"""A part of a book as its spec describes it."""

from dataclasses import dataclass, replace
from typing import Self

from nando.books.language import join_by_dots
from nando.generators.wishes import OF_SOURCES, Wishes
from nando.records import among, between, documented, setting
from nando.solvers.logic.language import words_for

PER_PAGE = (1, 2, 4, 6, 8, 9, 12)
_SIZES = {3: "9x9", 4: "16x16", 5: "25x25"}


@documented
@dataclass(frozen=True, kw_only=True)
class Part(Wishes):
    """A part of a book: wishes for its puzzles, their number, and how they are printed.

    Without minutes, grade or percentile, puzzles have any difficulty.
    """

    kind: str | None = setting(
        "9x9",
        about="9x9, 16x16, 25x25 or nurikabe; or for variants the rules, for example killer or "
        "diagonals,anti-knight, an arrangement of grids, for example samurai, or a size alone.",
    )
    count: int = setting(12, between(1), about="Number of puzzles.")
    per_page: int = setting(
        4,
        among(PER_PAGE),
        about="Most puzzles on a page: 1, 2, 4, 6, 8, 9 or 12. There are fewer if their cells "
        "would be too small to write in.",
    )
    title: str = setting(
        "", about="Title; default: the grade or the time, in the language of the book."
    )
    each: tuple[str, ...] = setting(
        (), about="A part for each of these techniques, the easiest first, with it as the hardest."
    )
    from_: str = setting("", about="A file of puzzles to choose from; empty to make them.")

    def check(self) -> None:
        """Check the wishes against each other, and that puzzles of a file are not to be made."""
        super().check()
        if self.each and (self.needs or self.hardest):
            raise ValueError("each names what a part needs at most: leave out needs and hardest")
        if not self.from_:
            self.source()
            return
        options = {name: getattr(self, name) for name in OF_SOURCES}
        if made := [name for name, x in options.items() if x is not None and x is not False]:
            raise ValueError(
                f"{' and '.join(made)} can be wished for new puzzles only, but these are chosen "
                f"from {self.from_}: leave out one of the two"
            )

    @property
    def kind_name(self) -> str:
        """The name of the kind or genre, as :func:`nando.books.kinds.kind_of` returns it."""
        if self.genre is not None:
            return str(self.genre)
        return _SIZES[self.sudoku_order] if self.puzzle_kind == "sudoku" else self.puzzle_kind

    def chapters(self, language: str) -> tuple[Self, ...]:
        """Return a part for each technique of `each`, the easiest first, or this part alone.

        Raises
        ------
        ValueError
            For an unknown technique, or one that the order lacks.
        """
        if not self.each:
            return (self,)
        names = words_for(self.puzzle_kind, language)
        asked = replace(self, each=(), needs=",".join(self.each)).steps
        assert asked is not None
        found = sorted(asked.needed, key=lambda each: asked.ladder.index(each.rungs[0]))
        titles = [names.name(rungs[0].name) if len(rungs) == 1 else name for name, rungs in found]
        return tuple(
            replace(
                self,
                each=(),
                needs=name,
                hardest=name,
                title=join_by_dots(self.title, title[0].upper() + title[1:]),
            )
            for (name, _), title in zip(found, titles, strict=True)
        )
