"""The variant race against the race of Sudoku, and its openings against enumeration."""

from itertools import product

import numpy as np
import pytest

from nando.puzzles import Sudoku, Variant
from nando.puzzles.boards.constraints import AllDifferent, Relation, Sum
from nando.solvers import (
    Outcome,
    Rule,
    TechniqueRace,
    VariantRace,
    unique_solution,
)

CLASSIC = (
    "..867.4.24.23...9.37..2.......4...5.89.251.67.1...3.......9..73.3...52.17.5.329..",
    ".9.384.....2.7...........715....324..3.........1..5.9....8.....7.652.........64..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
)
KILLER = Variant(
    "4x4+killer:r1c1r1c2r2c1:9+killer:r1c3r2c3r3c3:8+killer:r1c4r2c4:3+killer:r2c2r3c2r4c2:7"
    "+killer:r3c1r4c1:4+killer:r3c4r4c3r4c4:9"
)
MIXED = Variant("...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4")
PUZZLES = (KILLER, MIXED)


def test_without_rules_it_is_the_race_of_sudoku():
    for text in CLASSIC:
        classic = TechniqueRace().profile(Sudoku(text), runs=4, rng=0)
        variant = VariantRace().profile(Variant.of(text), runs=4, rng=0)
        for name in ("glance", "lines", "cells", "locked", "pairs", "triplets", "beyond"):
            assert getattr(variant, name) == pytest.approx(getattr(classic, name)), (text, name)
        assert variant.beyond_blanks == pytest.approx(classic.beyond_blanks)
        assert variant.houses == variant.rests == variant.rules == variant.unions == 0.0
        np.testing.assert_allclose(variant.order, classic.order)


def test_a_cage_of_a_single_cell_is_seen_as_the_rest_of_its_sum():
    givens = {(1, 1): 1, (1, 3): 3, (2, 2): 4, (2, 4): 2, (3, 2): 1, (4, 1): 4, (4, 3): 2}
    cages = "".join(f"+killer:r{row}c{column}:{digit}" for (row, column), digit in givens.items())
    profile = VariantRace().profile(Variant(f"4x4{cages}"), runs=2, rng=0)
    assert profile.rests > 0.0
    assert profile.rules == 0.0


def _groups(puzzle):
    number = puzzle.board.number_of
    own = [own for _, own in puzzle.constraints if isinstance(own, AllDifferent)]
    return [{number[cell] for cell in each.cells} for each in own]


def _by_one_rule(puzzle, own, masks):
    """Return the candidates in some filling of a relation or sum, by enumeration.

    That digits must differ is used only for sums whose cells must all differ.
    """
    number, differ = puzzle.board.number_of, _groups(puzzle)
    masks = [set(mask) for mask in masks]
    apart = False
    if isinstance(own, Relation):
        cells = [number[own.first], number[own.second]]
        fits = lambda digits: own.allowed[digits[0] - 1] >> digits[1] - 1 & 1  # noqa: E731
    else:
        assert isinstance(own, Sum)
        cells = [number[cell] for cell in own.cells]
        weights = own.weights or [1] * len(cells)
        apart = any(set(cells) <= group for group in differ) and set(weights) == {1}
        fits = lambda digits: (  # noqa: E731
            sum(d * w for d, w in zip(digits, weights, strict=True)) == own.total
            and (not apart or len(set(digits)) == len(digits))
        )
    ways = [one for one in product(*(sorted(masks[c]) for c in cells)) if fits(one)]
    for place, cell in enumerate(cells):
        masks[cell] &= {way[place] for way in ways}
    if apart:
        held = set.intersection(*(set(way) for way in ways))
        seeing = set(range(len(masks))) - set(cells)
        for cell in cells:
            seeing &= set().union(*(group for group in differ if cell in group))
        for cell in seeing:
            masks[cell] -= held
    return masks


def _rules(puzzle):
    return [own for _, own in puzzle.constraints if isinstance(own, Relation | Sum)]


def _closed(puzzle, masks):
    """Keep what each rule keeps, until nothing changes."""
    before = None
    while before != masks:
        before = masks
        for own in _rules(puzzle):
            masks = _by_one_rule(puzzle, own, masks)
    return masks


def _remaining(puzzle, filled):
    """Return the candidates that filled cells leave, for a dictionary of their digits."""
    masks = [{filled[c]} if c in filled else {1, 2, 3, 4} for c in range(16)]
    for group in _groups(puzzle):
        for cell in group - set(filled):
            masks[cell] -= {filled[c] for c in group & set(filled)}
    return masks


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_rounds_look_at_each_rule_once(puzzle):
    filled = {c: int(digit) for c, digit in enumerate(puzzle.givens) if digit}
    masks, n_rounds, marks, looked = _remaining(puzzle, filled), 0, None, True
    while looked:
        before = masks
        results = [_by_one_rule(puzzle, own, before) for own in _rules(puzzle)]
        masks = [set.intersection(*each) for each in zip(*results, strict=True)]
        if marks is None:  # every blank of these puzzles that has a rule has several candidates
            number = puzzle.board.number_of
            ruled = {
                number[cell]
                for own in _rules(puzzle)
                for cell in (own.cells if isinstance(own, Sum) else (own.first, own.second))
            }
            marks = sum(np.log2(len(masks[cell])) for cell in ruled - set(filled))
        looked = before != masks
        n_rounds += looked
        while singles := _singles(puzzle, masks, set(range(16)) - set(filled)):
            solution = unique_solution(puzzle)
            filled |= {cell: int(solution[cell]) for cell in singles}
            left = _remaining(puzzle, filled)
            masks = [mask & own for mask, own in zip(masks, left, strict=True)]
    profile = VariantRace().profile(puzzle, runs=2, rng=0)
    assert len(filled) == 16
    assert (profile.rounds, profile.marks) == pytest.approx((n_rounds, marks))
    assert profile.combinations > 0.0


def _singles(puzzle, masks, blank):
    cells = {cell for cell in blank if len(masks[cell]) == 1}
    for line in [own.cells for _, own in puzzle.constraints if isinstance(own, AllDifferent)]:
        if len(line) == puzzle.size:
            house = [puzzle.board.number_of[cell] for cell in line]
            for digit in range(1, puzzle.size + 1):
                places = [cell for cell in house if cell in blank and digit in masks[cell]]
                if len(places) == 1:
                    cells.add(places[0])
    return cells


def test_rules_open_what_enumeration_opens():
    """Every fill at an impasse by the rules is a single of the enumerated combinations.

    The more singles there are, the sooner one is seen; without any, all combinations are looked at.
    """
    n_opened = 0
    for puzzle in PUZZLES:
        solution = unique_solution(puzzle)
        for seed in range(10):
            run = VariantRace().run(puzzle, rng=seed)
            looks = 0.0
            filled = {place for place in range(16) if puzzle.givens[place]}
            for row in run.trace:
                if row["rule"] in (int(Rule.ELIMINATION), int(Rule.GUESS)):
                    blank = set(range(16)) - filled
                    masks = _remaining(puzzle, {c: int(solution[c]) for c in filled})
                    assert not _singles(puzzle, masks, blank)
                    opened = _singles(puzzle, _closed(puzzle, masks), blank)
                    looks += len(opened) ** -0.25 if opened else 4.0
                    assert not opened or int(row["cell"]) in opened
                    n_opened += len(opened)
                filled.add(int(row["cell"]))
            assert run.outcome is Outcome.SOLVED
            assert VariantRace().profile(puzzle, runs=1, rng=seed).rules == pytest.approx(looks)
    assert n_opened > 30


def test_rules_that_open_nothing_are_looked_through_in_vain():
    """A sign between two givens opens nothing; each impasse then takes four looks more."""
    plain, signed = (
        VariantRace().profile(Variant(text), runs=4, rng=0)
        for text in (f"{CLASSIC[2]}+boxes:3:3", f"{CLASSIC[2]}+greater:r4c3r4c4")
    )
    names = ("unions", "locked", "pairs", "triplets")
    assert [getattr(signed, name) for name in names] == [getattr(plain, name) for name in names]
    n_impasses = sum(getattr(plain, name) for name in (*names, "beyond"))
    assert signed.rules == pytest.approx(4.0 * n_impasses)
    assert signed.rules > signed.beyond == signed.marks == 0.0
    assert plain.rules == 0.0
