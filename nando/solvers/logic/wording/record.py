"""Steps on a Sudoku or a variant as plain values."""

from typing import Any

from nando.puzzles import Sudoku, Variant
from nando.solvers.logic.language import Words, words_for
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording.families import family_of, plain_name
from nando.solvers.logic.wording.names import Names
from nando.solvers.logic.wording.reasons import Reasons, link_reasons
from nando.solvers.logic.wording.rule_sentences import contradiction
from nando.solvers.logic.wording.styles import NAMES, styled_name


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
