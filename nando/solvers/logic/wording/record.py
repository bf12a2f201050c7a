"""Steps on a Sudoku or a variant as plain values, with the names that other programs use."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from nando.names import Style
from nando.puzzles import Sudoku, Variant
from nando.solvers.logic.language import Words, words_for
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording.families import family_of, plain_name
from nando.solvers.logic.wording.names import Names
from nando.solvers.logic.wording.rule_sentences import contradiction
from nando.solvers.logic.wording.telling import Reasons, link_reasons
from nando.tables import load_rows

STYLES: dict[Style, str] = {
    "nando": "nando's own names",
    "se": "Sudoku Explainer and Sukaku Explainer",
    "hodoku": "HoDoKu",
    "sudokuwiki": "SudokuWiki",
}
"""The styles of names, and the programs that they belong to."""


def record(step: LogicStep, marks: PencilMarks, words: Words) -> dict[str, Any]:
    """Return the pattern and the conclusion of a step: cells and houses by name, digits as numbers.

    The values are for programs and the same in every language, except for the contradiction and
    the reasons of a chain. A step on a variant also has its rules, as text, and its branches.
    """
    puzzle, names, name = marks.puzzle, Names(words, marks.puzzle), marks.puzzle.cell_name
    on_variant = isinstance(puzzle, Variant)
    house = Names(words_for(puzzle.kind, "en"), puzzle).house
    values: dict[str, Any] = {"houses": [house(number) for number in step.houses]}
    if on_variant:
        values["rules"] = [puzzle.rules[number].to_text() for number in step.rules]
    values |= {
        "cells": [name(cell) for cell in step.cells],
        "digits": list(step.digits),
        "placement": step.placement and [name(step.placement[0]), step.placement[1]],
        "eliminations": [[name(cell), digit] for cell, digit in step.eliminations],
        "links": [
            [name(a), int(b), bool(c), name(d), int(e), bool(f)] for a, b, c, d, e, f in step.links
        ],
    }
    if on_variant:
        values["branches"] = [
            [[name(cell), digit, on] for cell, digit, on in branch] for branch in step.branches
        ]
        values["contradiction"] = contradiction(step, names)
    return values | {"reasons": link_reasons(step, Reasons(step, marks, names))}


def names(step: LogicStep, marks: PencilMarks, style: str) -> tuple[str, str]:
    """Return the family of a step, and its name in a style; empty for nando's own.

    On a variant the family is the technique: other families tell rows, columns and boxes apart.
    """
    family = plain = plain_name(step)
    on_sudoku = isinstance(marks.puzzle, Sudoku)
    if on_sudoku:
        family = family_of(step, marks).name
    is_styled = style != "nando" and family in NAMES
    name = styled_name(style, family, plain) if is_styled else ""
    return family.partition(":")[0] if on_sudoku else step.technique.name, name


class _Names(NamedTuple):
    """The names of a family; None if a program has none, so that a plainer name is used."""

    se: str | None
    hodoku: str | None
    sudokuwiki: str | None


_LONGEST_LOOP = 50
"""Number of cells of the longest unique loop of a 25x25."""


def _names() -> Iterator[tuple[str, _Names]]:
    """Yield the names of each family: those of the table, and of unique loops by their length."""
    for row in load_rows("nando.solvers.logic.wording", "names.csv"):
        yield row.pop("family"), _Names(**{style: name or None for style, name in row.items()})
    for n in (1, 2, 3, 4):
        for size in range(8, _LONGEST_LOOP + 1, 2):
            own = _Names(f"Unique Loop {size} type {n}", None, "Extended Unique Rectangle")
            yield f"unique loop type {n}: {size} cells", own


NAMES = dict(_names())
"""The names of every family.

Neither Explainer knows fins; each describes the chain that it has found. SudokuWiki has no finned
jellyfish.
"""


def styled_name(style: str, family: str, plain: str) -> str:
    """Return a program's name for the family of a step, or else for its plain technique.

    Raises
    ------
    ValueError
        For an unknown style.
    """
    if style not in STYLES or style == "nando":
        raise ValueError(f"style must be one of {', '.join(STYLES)}, got {style!r}")
    # The Explainers name chains by their links, whatever pattern these form.
    candidates = (plain, family) if style == "se" and plain in _SE_CHAINS else (family, plain)
    for name in candidates:
        styled: str | None = getattr(NAMES[name], style)
        if styled is not None:
            return styled
    return plain[0].upper() + plain[1:]


_SE_CHAINS = ("forcing X-chain", "forcing chain")
