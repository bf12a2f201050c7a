"""Shortened walks can be followed step by step, and need all their steps."""

import importlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers.samples.logic_patterns import ONLY_EXPLAINER, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st

import nando
from nando.puzzles import Nurikabe, Sudoku, Variant, read_puzzles
from nando.solvers import unique_solution
from nando.solvers.logic import (
    SUDOKU_EXPLAINER,
    SUKAKU_EXPLAINER,
    PencilMarks,
    shortest,
    walk_through,
)
from nando.solvers.logic.house_walk import every_step
from nando.solvers.logic.replay import holds, replay

CHAINS = Sudoku("9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68..")
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
shortening = importlib.import_module("nando.solvers.logic.shortening")


def assert_follows(walk, marks):
    """Assert that every step follows from the marks that the steps before it left."""
    for number, taken in enumerate(walk.steps, 1):
        step = taken.step
        assert taken.number == number
        assert np.array_equal(taken.position.candidates, marks.candidates)
        for cell, digit in step.eliminations:
            assert marks.candidates[cell, digit - 1]
        if step.links:
            assert holds(step, marks, marks)
        else:
            found = every_step(marks, (step.technique,), np.zeros(1, np.int64))
            assert (
                any(
                    (s.cells, s.placement, s.variant) == (step.cells, step.placement, step.variant)
                    and set(step.eliminations) <= set(s.eliminations)
                    for s in found
                )
                or len(marks.digits(step.cells[0])) == 1
            )
        marks = marks.after(step)
    assert marks.n_blanks == 0


@pytest.mark.thorough
@settings(max_examples=12, deadline=None)
@given(st.sampled_from([*PUZZLES]), st.integers(0, 99))
def test_the_shortest_walk_can_be_followed(name, seed):
    ladder = SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else SUKAKU_EXPLAINER
    puzzle = PUZZLES[name].shuffled(np.random.default_rng(seed))
    walk = walk_through(puzzle, ladder)
    short = shortest(walk)
    assert_follows(short, PencilMarks.of(puzzle))
    assert len(short.steps) + len(short.left_out) == len(walk.steps)
    assert short.rating == walk.rating
    fills = [t.step.placement for t in walk.steps if t.step.placement]
    assert [t.step.placement for t in short.steps if t.step.placement] == fills


@pytest.mark.slow
def test_chains_are_followed_link_by_link():
    short = shortest(walk_through(CHAINS))
    assert short.left_out
    assert_follows(short, PencilMarks.of(CHAINS))
    assert f"{len(short.left_out)} more left out as unnecessary" in short.summary()


@pytest.mark.parametrize("name", ["VWXYZ-wing 6.4", "bivalue universal grave 5.7", "hidden quad"])
def test_no_step_before_a_fill_can_be_left_out(name):
    walk = walk_through(PUZZLES[name])
    waiting = []
    n_kept = n_left_out = 0
    for taken in walk.steps:
        waiting.append(taken)
        if taken.step.placement is None:
            continue
        *some, fill = waiting
        start = waiting[0].position
        kept = shortening._fewest(some, fill, start, replay, set())
        n_kept, n_left_out = n_kept + len(kept), n_left_out + len(some) - len(kept)
        assert shortening._replayed([*kept, fill], start, replay)[1] is None
        for i in range(len(kept)):
            rest = [*kept[:i], *kept[i + 1 :], fill]
            assert shortening._replayed(rest, start, replay)[1] is not None
        waiting = []
    assert n_kept
    assert n_left_out or name != "VWXYZ-wing 6.4"


VARIANTS = [
    entry.puzzle
    for entry in read_puzzles(EXAMPLES / "variants.txt", Variant)
    if entry.puzzle is not None
]


@cache
def walked(number):
    """Return the walk through an example of variants, and the shortest one."""
    walk = walk_through(VARIANTS[number])
    return walk, shortest(walk)


@pytest.mark.parametrize("number", [2, 3, pytest.param(4, marks=pytest.mark.thorough)])
def test_the_shortest_walk_through_a_variant_can_be_followed(number):
    """Each step is found again where it now stands, and all fills are those of the whole walk."""
    puzzle = VARIANTS[number]
    solution, (walk, short) = unique_solution(puzzle), walked(number)
    assert walk.solved
    marks = PencilMarks.of(puzzle)
    for taken in short.steps:
        step = taken.step
        assert np.array_equal(taken.position.candidates, marks.candidates)
        assert all(marks.candidates[cell, digit - 1] for cell, digit in step.eliminations)
        assert all(solution[cell] != digit for cell, digit in step.eliminations)
        if step.technique.name != "what-if":
            found = every_step(marks, (step.technique,), np.zeros(1, np.int64))
            assert any(
                (one.cells, one.placement, one.eliminations)
                == (step.cells, step.placement, step.eliminations)
                for one in found
            )
        assert taken.sentence()
        marks = marks.after(step)
    assert marks.n_blanks == 0
    assert short.left_out
    assert len(short.steps) + len(short.left_out) == len(walk.steps)
    fills = [t.step.placement for t in walk.steps if t.step.placement]
    assert [t.step.placement for t in short.steps if t.step.placement] == fills


def test_cages_that_an_innie_does_not_need_are_left_out():
    numbers = [
        next(t.number for t in walk.steps if t.step.technique.name == "innie or outie")
        for walk in walked(3)
    ]
    assert numbers[0] > 10
    assert numbers[1] == 3


def test_a_link_that_does_not_hold_is_seen():
    taken = next(t for t in walk_through(CHAINS).steps if t.step.technique.name == "chain")
    assert holds(taken.step, taken.position, taken.position)
    for _, _, on, *_ in taken.step.links:
        if on:
            continue
        # With every candidate back in its house, turning one off forces nothing.
        full = PencilMarks.standing(CHAINS, np.zeros(81, np.int8))
        assert not holds(taken.step, taken.position, full)
        return
    pytest.fail("no strong link")


def test_a_walk_that_cannot_be_shortened_is_returned():
    stuck = walk_through(CHAINS, SUKAKU_EXPLAINER[:8])
    assert not stuck.solved
    assert shortest(stuck) is stuck
    board = nando.explain(Nurikabe("3...2./....../.....8/....../...1.2/......"), shortest=True)
    assert board.solved
    assert board.left_out == ()
