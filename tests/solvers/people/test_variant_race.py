"""The variant race against the race of Sudoku, and its openings against enumeration."""

import numpy as np
import pytest
from helpers.oracles.variants import narrow, sees
from helpers.samples.sudokus import EASY, ESCARGOT, STUCK
from helpers.samples.variant_samples import KILLER, MIXED

from nando.puzzles import Variant
from nando.puzzles.boards.constraints import AllDifferent, Relation, Sum
from nando.solvers import Outcome, Rule, TechniqueRace, VariantRace, unique_solution

PUZZLES = (KILLER, MIXED)


def test_without_rules_it_is_the_race_of_sudoku():
    for puzzle in (EASY, STUCK, ESCARGOT):
        classic = TechniqueRace().profile(puzzle, runs=4, rng=0)
        variant = VariantRace().profile(Variant.of(puzzle.text), runs=4, rng=0)
        for name in ("glance", "lines", "cells", "locked", "pairs", "triplets", "beyond"):
            assert getattr(variant, name) == pytest.approx(getattr(classic, name)), (puzzle, name)
        assert variant.beyond_blanks == pytest.approx(classic.beyond_blanks)
        assert variant.houses == variant.rests == variant.rules == variant.unions == 0.0
        assert variant.waits >= puzzle.text.count(".")  # each blank waits for one round at least
        np.testing.assert_allclose(variant.order, classic.order)


def test_a_cage_of_a_single_cell_is_seen_as_the_rest_of_its_sum():
    givens = {(1, 1): 1, (1, 3): 3, (2, 2): 4, (2, 4): 2, (3, 2): 1, (4, 1): 4, (4, 3): 2}
    cages = "".join(f"+killer:r{row}c{column}:{digit}" for (row, column), digit in givens.items())
    profile = VariantRace().profile(Variant(f"4x4{cages}"), runs=2, rng=0)
    assert profile.rests > 0.0
    assert profile.rules == 0.0


def _by_one_rule(puzzle, own, left):
    """Return the candidates in some filling of a relation or sum, by enumeration."""
    left = {cell: set(digits) for cell, digits in left.items()}
    narrow(own, left, puzzle.size, sees(puzzle))
    return left


def _rules(puzzle):
    return [own for _, own in puzzle.constraints if isinstance(own, Relation | Sum)]


def _closed(puzzle, left):
    """Keep what each rule keeps, until nothing changes."""
    before = None
    while before != left:
        before = left
        for own in _rules(puzzle):
            left = _by_one_rule(puzzle, own, left)
    return left


def _remaining(puzzle, filled):
    """Return the candidates that filled cells leave, for a dictionary of their digits."""
    pairs = sees(puzzle)
    return {
        cell: {filled[cell]}
        if cell in filled
        else {1, 2, 3, 4} - {filled[other] for other in filled if (cell, other) in pairs}
        for cell in puzzle.board.cells
    }


def _digits_of(puzzle, values):
    return {c: int(d) for c, d in zip(puzzle.board.cells, values, strict=True) if d}


def _singles(puzzle, left, filled):
    """Return the cells without a digit that have a naked or a hidden single."""
    blank = left.keys() - filled
    cells = {cell for cell in blank if len(left[cell]) == 1}
    for own in (own for _, own in puzzle.constraints if isinstance(own, AllDifferent)):
        for digit in range(1, 5) if len(own.cells) == puzzle.size else ():
            places = [cell for cell in own.cells if cell in blank and digit in left[cell]]
            cells |= set(places) if len(places) == 1 else set()
    return cells


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_round_enters_all_singles_or_looks_at_each_rule_once(puzzle):
    solution = _digits_of(puzzle, unique_solution(puzzle))
    filled = _digits_of(puzzle, puzzle.givens)

    def look(before):
        results = [_by_one_rule(puzzle, own, before) for own in _rules(puzzle)]
        return {cell: set.intersection(*(one[cell] for one in results)) for cell in before}

    left, waits = look(_remaining(puzzle, filled)), 0
    # Every blank of these puzzles that has a rule has several candidates.
    ruled = {
        cell
        for own in _rules(puzzle)
        for cell in (own.cells if isinstance(own, Sum) else (own.first, own.second))
    }
    marks = sum(np.log2(len(left[cell])) for cell in ruled - set(filled))
    while len(filled) < 16:
        waits += 16 - len(filled)
        if singles := _singles(puzzle, left, filled):
            filled |= {cell: solution[cell] for cell in singles}
            others = _remaining(puzzle, filled)
            left = {cell: digits & others[cell] for cell, digits in left.items()}
        else:
            before, left = left, look(left)
            assert before != left
    profile = VariantRace().profile(puzzle, runs=2, rng=0)
    assert (profile.waits, profile.marks) == pytest.approx((waits, marks))


def test_rules_open_what_enumeration_opens():
    """Every fill at an impasse by the rules is a single of the enumerated combinations.

    The more singles there are, the sooner one is seen; without any, all combinations are looked at.
    """
    n_opened = 0
    for puzzle in PUZZLES:
        for seed in range(10):
            run = VariantRace().run(puzzle, rng=seed)
            looks = 0.0
            filled = _digits_of(puzzle, puzzle.givens)
            for row in run.trace:
                cell = puzzle.board.cells[row["cell"]]
                if row["rule"] in (int(Rule.ELIMINATION), int(Rule.GUESS)):
                    left = _remaining(puzzle, filled)
                    assert not _singles(puzzle, left, filled)
                    opened = _singles(puzzle, _closed(puzzle, left), filled)
                    looks += len(opened) ** -0.25 if opened else 4.0
                    assert not opened or cell in opened
                    n_opened += len(opened)
                filled[cell] = int(row["value"])
            assert run.outcome is Outcome.SOLVED
            assert VariantRace().profile(puzzle, runs=1, rng=seed).rules == pytest.approx(looks)
    assert n_opened > 30


def test_rules_that_open_nothing_are_looked_through_in_vain():
    """A sign between two givens opens nothing; each impasse then takes four looks more."""
    plain, signed = (
        VariantRace().profile(Variant(text), runs=4, rng=0)
        for text in (f"{ESCARGOT.text}+boxes:3:3", f"{ESCARGOT.text}+greater:r4c3r4c4")
    )
    names = ("unions", "locked", "pairs", "triplets")
    assert [getattr(signed, name) for name in names] == [getattr(plain, name) for name in names]
    n_impasses = sum(getattr(plain, name) for name in (*names, "beyond"))
    assert signed.rules == pytest.approx(4.0 * n_impasses)
    assert signed.rules > signed.beyond == signed.marks == 0.0
    assert plain.rules == 0.0
