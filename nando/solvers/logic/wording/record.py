"""Steps on a Sudoku or a variant as plain values."""

from collections.abc import Callable
from typing import Any

from nando.solvers.logic.language import Words
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.step import VariantStep
from nando.solvers.logic.wording.families import family_of, plain_name
from nando.solvers.logic.wording.names import Names, VariantNames, sudoku_words, variant_words
from nando.solvers.logic.wording.reasons import Reasons, VariantReasons, link_reasons
from nando.solvers.logic.wording.styles import styled_name
from nando.solvers.logic.wording.variant_sentences import contradiction


def record(step: LogicStep, marks: PencilMarks, words: Words) -> dict[str, Any]:
    """Return the pattern and the conclusion of a step: cells and houses by name, digits as numbers.

    The values are for programs and the same in every language, except for the reasons of a chain.
    """
    house = Names(sudoku_words("en"), marks.puzzle).house
    reasons = link_reasons(step, Reasons(step, marks, Names(words, marks.puzzle)))
    return shared_record(step, marks.puzzle.cell_name, house) | {"reasons": reasons}


def shared_record(
    step: LogicStep, name: Callable[[int], str], house: Callable[[int], str]
) -> dict[str, Any]:
    """Return the values that records of Sudoku and variants share.

    `name` and `house` return the names of cells and houses.
    """
    return {
        "houses": [house(number) for number in step.houses],
        "cells": [name(cell) for cell in step.cells],
        "digits": list(step.digits),
        "placement": step.placement and [name(step.placement[0]), step.placement[1]],
        "eliminations": [[name(cell), digit] for cell, digit in step.eliminations],
        "links": [
            [name(a), int(b), bool(c), name(d), int(e), bool(f)] for a, b, c, d, e, f in step.links
        ],
    }


def names(step: LogicStep, marks: PencilMarks, style: str) -> tuple[str, str]:
    """Return the family of a step, and its name in a style; empty for nando's own."""
    family = family_of(step, marks).name
    name = "" if style == "nando" else styled_name(style, family, plain_name(step))
    return family.partition(":")[0], name


# Steps on a variant as plain values


def record_variant(step: VariantStep, marks: VariantMarks, words: Words) -> dict[str, Any]:
    """Return the pattern and the conclusion of a step: cells and houses by name, rules as text.

    Except for the contradiction and the reasons of a chain, the values are for programs and the
    same in every language.
    """
    puzzle = marks.puzzle
    name, names = puzzle.cell_name, VariantNames(variant_words("en"), puzzle)
    shared = shared_record(step, name, names.house)
    return {
        "houses": shared["houses"],
        "rules": [puzzle.rules[number].to_text() for number in step.rules],
        **shared,
        "branches": [
            [[name(cell), digit, on] for cell, digit, on in branch] for branch in step.branches
        ],
        "contradiction": contradiction(step, VariantNames(words, puzzle)),
        "reasons": link_reasons(step, VariantReasons(step, marks, VariantNames(words, puzzle))),
    }
