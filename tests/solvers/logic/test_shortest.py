"""The shortest walk: every step follows where it now stands, and none can be left out."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers.samples.house_puzzles import HOUSE_PUZZLES
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
from nando.solvers.logic.kernel_numbers import WHAT_IFS
from nando.solvers.logic.replay import holds, replay

CHAINS = Sudoku("9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68..")
EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "variants.txt"
VARIANTS = [entry.puzzle for entry in read_puzzles(EXAMPLES, Variant) if entry.puzzle]
SHORTENED = {
    **HOUSE_PUZZLES,
    **{name: PUZZLES[name] for name in ("bivalue universal grave 5.7", "hidden quad")},
    "cages": VARIANTS[3],
    "dots": VARIANTS[4],
}


@cache
def walked(name):
    """Return the walk through a puzzle, and the shortest one."""
    walk = walk_through(SHORTENED[name])
    return walk, shortest(walk)


def assert_follows(walk, short):
    """Assert that each step follows from the marks that the steps before it left, to the end."""
    solution, marks = unique_solution(walk.puzzle), PencilMarks.of(walk.puzzle)
    for number, taken in enumerate(short.steps, 1):
        step = taken.step
        assert taken.number == number
        assert taken.sentence()
        assert np.array_equal(taken.position.candidates, marks.candidates)
        for cell, digit in step.eliminations:
            assert marks.candidates[cell, digit - 1]
            assert solution[cell] != digit
        if step.links:
            assert holds(step, marks, marks)
        elif step.technique.kernel not in WHAT_IFS:
            assert any(
                (found.cells, found.placement, found.variant, found.rules)
                == (step.cells, step.placement, step.variant, step.rules)
                and set(step.eliminations) <= set(found.eliminations)
                for found in every_step(marks, (step.technique,), np.zeros(1, np.int64))
            ) or (len(marks.digits(step.cells[0])) == 1)
        marks = marks.after(step)
    assert marks.values.tolist() == solution.tolist()
    assert len(short.steps) + len(short.left_out) == len(walk.steps)
    assert short.rating == walk.rating
    fills, kept = ([t.step.placement for t in w.steps if t.step.placement] for w in (walk, short))
    assert kept == fills


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.thorough] * (name == "dots")) for name in SHORTENED],
)
def test_each_step_follows_and_none_can_be_left_out(name):
    walk, short = walked(name)
    assert_follows(walk, short)
    for number, taken in enumerate(short.steps):
        # In the last puzzle a step stays where it was, since it would not follow later.
        if taken.step.placement is None and name != "dots":
            rest = short.steps[number + 1 :]
            assert not can_be_followed(rest, taken.position), taken.sentence()


def can_be_followed(steps, marks):
    """Return True if the steps follow one after another, without those that remove nothing."""
    for taken in steps:
        gone = taken.step.eliminations
        if gone and not any(marks.candidates[cell, digit - 1] for cell, digit in gone):
            continue
        step = replay(taken.step, taken.position, marks)
        if step is None:
            return False
        marks = marks.after(step)
    return True


@pytest.mark.thorough
@settings(max_examples=12, deadline=None)
@given(st.sampled_from([*PUZZLES]), st.integers(0, 99))
def test_the_shortest_walk_can_be_followed(name, seed):
    ladder = SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else SUKAKU_EXPLAINER
    walk = walk_through(PUZZLES[name].shuffled(np.random.default_rng(seed)), ladder)
    assert_follows(walk, shortest(walk))


@pytest.mark.slow
def test_chains_are_followed_link_by_link():
    walk = walk_through(CHAINS)
    short = shortest(walk)
    assert short.left_out
    assert_follows(walk, short)
    assert f"{len(short.left_out)} more left out as unnecessary" in short.summary()


def test_cages_that_an_innie_does_not_need_are_left_out():
    numbers = [
        next(t.number for t in walk.steps if t.step.technique.name == "innie or outie")
        for walk in walked("cages")
    ]
    assert numbers[0] > 10
    assert numbers[1] == 3


def test_a_link_that_does_not_hold_is_seen():
    taken = next(t for t in walk_through(CHAINS).steps if t.step.technique.name == "chain")
    assert holds(taken.step, taken.position, taken.position)
    # With every candidate back in its house, turning one off forces nothing.
    full = PencilMarks.standing(CHAINS, np.zeros(81, np.int8))
    assert not all(on for _, _, on, *_ in taken.step.links)
    assert not holds(taken.step, taken.position, full)


def test_a_walk_that_cannot_be_shortened_is_returned():
    stuck = walk_through(CHAINS, SUKAKU_EXPLAINER[:8])
    assert not stuck.solved
    assert shortest(stuck) is stuck
    board = nando.explain(Nurikabe("3...2./....../.....8/....../...1.2/......"), shortest=True)
    assert board.solved
    assert board.left_out == ()
