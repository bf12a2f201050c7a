"""The directive ``rule-list``: every rule in words and as a drawn board.

Run as a script with the name of a .png or .svg file, it writes one picture of a board of each rule,
or of the puzzles of a file that is named, too.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando.drawing.rules.board import board, rule_examples
from nando.drawing.rules.scene import DRAWINGS
from nando.drawing.shapes import GREY, INK, GridStyle, Pen, Picture, Placed, Rect, Shape, Text
from nando.drawing.svg import svg
from nando.puzzles import Variant
from nando.puzzles.rules.registry import RULES, rule_name, rule_sentences
from nando.puzzles.variants.genre import Genre

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STYLE = GridStyle(Pen(0.018, GREY), Pen(0.06, INK))
_WIDE, _TALL = 11.6, 12.4
"""Of the place of a board on the sheet, in cells."""
FURTHER = {"several grids": "9x9+samurai", "another size": "6x6+diagonals"}
"""Boards below those of the rules."""


def rule_list() -> str:
    """All rules as Markdown: name, meaning, how the rule is written, and a drawn board."""
    parts = []
    for cls in RULES:
        puzzle = Variant(rule_examples()[cls.name])
        own = [rule for rule in puzzle.rules if isinstance(rule, cls)]
        meaning = dict.fromkeys(
            s for rule in own for s in rule_sentences(rule, puzzle.board.values)
        )
        parts.append(f"### {rule_name(cls)} (`{cls.name}`)\n")
        parts.append(" ".join(meaning) + "\n")
        written, _, note = cls.usage().removeprefix("wanted ").partition(", ")
        shortest = min((rule.to_text() for rule in own), key=len)
        shown = shortest if len(shortest) <= 60 else shortest[:57] + "..."
        said = f"Written `{written}`" + (f" ({note})" if note else "")
        parts.append(said + (f", for example `{shown}`.\n" if shown != written else ".\n"))
        if cls not in DRAWINGS:
            parts.append("Nothing is drawn: the rule is stated with the puzzle.\n")
        else:
            drawn = svg(
                _framed(board(puzzle, "", STYLE)), unit=24, title=f"A board with {cls.name}"
            )
            parts.append(f"```{{raw}} html\n{drawn}\n```\n")
    return "\n".join(parts)


def _framed(picture: Picture) -> Picture:
    """Return a picture on white, with a margin, for light and dark pages."""
    size = picture.width + 0.4, picture.height + 0.4
    return Picture(*size, (Rect(0, 0, *size, "#ffffff"), Placed(0.2, 0.2, 1, picture)))


def sheet(n_columns: int = 6, puzzles: Path | None = None) -> Picture:
    """Return one picture of a board of each rule, or of the puzzles of a file, one per line."""
    texts = rule_examples() | FURTHER
    if puzzles is not None:
        made = map(Variant, puzzles.read_text().split())
        texts = {", ".join(Genre.of(puzzle).rules): puzzle.text for puzzle in made}
    shapes: list[Shape] = []
    for i, (name, text) in enumerate(texts.items()):
        picture = board(Variant(text), "", STYLE)
        left, top = i % n_columns * _WIDE, i // n_columns * _TALL
        scale = min(1.0, (_WIDE - 0.8) / picture.width, (_TALL - 1.6) / picture.height)
        shapes.append(Text(left + _WIDE / 2, top + 0.7, name, 0.66, INK, bold=True))
        x = left + (_WIDE - scale * picture.width) / 2
        y = top + 1.3 + (_TALL - 1.6 - scale * picture.height) / 2
        shapes.append(Placed(x, y, scale, picture))
    size = n_columns * _WIDE, -(-len(texts) // n_columns) * _TALL
    return Picture(*size, (Rect(0, 0, *size, "#ffffff"), *shapes))


def write_sheet(path: Path, puzzles: Path | None = None) -> None:
    """Write the picture of all boards, as .svg or .png."""
    picture = sheet(puzzles=puzzles)
    if path.suffix == ".svg":
        path.write_text(svg(picture, unit=20), encoding="utf-8")
        return
    from nando.drawing.png import write_png

    with path.open("wb") as file:
        write_png(picture, file, 22)


def setup(app: "Sphinx") -> dict[str, Any]:
    """Register the directive."""
    # The tests use the lists where Sphinx is not installed.
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    class RuleList(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(rule_list())

    app.add_directive("rule-list", RuleList)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    write_sheet(*map(Path, sys.argv[1:]))
