"""Steps on a variant as plain values."""

from typing import Any

from nando.solvers.logic.language import Words
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.step import VariantStep
from nando.solvers.logic.wording.reasons import link_reasons
from nando.solvers.logic.wording.record import shared_record
from nando.solvers.logic.wording.variant_names import VariantNames, variant_words
from nando.solvers.logic.wording.variant_reasons import VariantReasons
from nando.solvers.logic.wording.variant_sentences import contradiction


def record(step: VariantStep, marks: VariantMarks, words: Words) -> dict[str, Any]:
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
