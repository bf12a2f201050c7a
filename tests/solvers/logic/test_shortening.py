"""The shortened walk: every step follows where it now stands, and none can be left out."""

from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from helpers.links import holds
from helpers.plain_kernels import compiled_kernels, plain_kernels
from helpers.samples.house_puzzles import HOUSE_PUZZLES
from helpers.samples.logic_patterns import ONLY_EXPLAINER, PUZZLES
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nando
from nando.puzzles import Nurikabe, Sudoku, Variant, read_puzzles
from nando.solvers import unique_solution
from nando.solvers.logic import (
    SUDOKU_EXPLAINER,
    SUKAKU_EXPLAINER,
    PencilMarks,
    shorten,
    walk_through,
)
from nando.solvers.logic.house_walk import every_step
from nando.solvers.logic.kernel_numbers import NAKED_SINGLE, PATTERN, RELATION, SUM, WHAT_IFS
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.loosening import _give_back
from nando.solvers.logic.variants.relation_steps import EXACT, OPEN
from nando.solvers.logic.variants.rule_state import new_finding, new_state

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
    """Return the walk through a puzzle, and the shortened one."""
    walk = walk_through(SHORTENED[name])
    return walk, shorten(walk)


def follows(step, taken_at, marks):
    """Return True if a step taken at some marks follows from others."""
    if step.links:
        return holds(step, taken_at, marks)
    if step.technique.kernel in WHAT_IFS:
        return np.array_equal(taken_at.candidates, marks.candidates)
    if step.technique.kernel == NAKED_SINGLE:
        return len(marks.digits(step.cells[0])) == 1
    # A digit may now rule out more by its rules than before.
    return any(
        (found.placement, found.variant) == (step.placement, step.variant)
        and set(step.eliminations) <= set(found.eliminations)
        and (set(step.cells) <= set(found.cells) or set(step.rules) & set(found.rules))
        for found in every_step(marks, (step.technique,), np.zeros(1, np.int64))
    )


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
        assert follows(step, marks, marks), taken.sentence()
        marks = marks.after(step)
    assert marks.values.tolist() == solution.tolist()
    assert len(short.steps) + len(short.left_out) == len(walk.steps)
    assert short.rating == walk.rating
    fills, kept = ([t.step.placement for t in w.steps if t.step.placement] for w in (walk, short))
    assert kept == fills


@pytest.mark.parametrize("name", SHORTENED)
def test_each_step_follows_and_hardly_any_could_be_left_out(name):
    walk, short = walked(name)
    assert_follows(walk, short)
    removing = [*filter(removes, short.steps)]
    assert bool(short.left_out) == (len(removing) < sum(map(removes, walk.steps)))
    spare = [taken for taken in removing if can_go_on(taken, short.steps[taken.number :])]
    assert len(spare) <= 0.2 * len(removing)


def removes(taken):
    return taken.step.placement is None


def can_go_on(taken, later):
    """Return True if later steps follow without a step."""
    marks = taken.position
    for other in later:
        if not follows(other.step, other.position, marks):
            return False
        marks = marks.after(other.step)
    return True


@pytest.mark.thorough
@settings(max_examples=24, deadline=None)
@given(st.sampled_from([*PUZZLES]), st.integers(0, 99))
@example("unique loop, type 3", 0)  # a naked pair regains what it removes in a row and a box
def test_a_shortened_walk_can_be_followed(name, seed):
    ladder = SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else SUKAKU_EXPLAINER
    walk = walk_through(PUZZLES[name].shuffled(np.random.default_rng(seed)), ladder)
    assert_follows(walk, shorten(walk))


@pytest.mark.slow
def test_chains_are_followed_link_by_link():
    walk = walk_through(CHAINS)
    short = shorten(walk)
    assert short.left_out
    assert_follows(walk, short)
    assert f"{len(short.left_out)} more left out as unnecessary" in short.summary()


def test_what_is_not_gone_yet_is_removed_by_a_step_that_stays():
    walk, short = walked("cages")
    whole = {taken.step for taken in walk.steps}
    assert any(taken.step not in whole for taken in short.steps)


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
    assert shorten(stuck) is stuck
    board = nando.explain(Nurikabe("3...2./....../.....8/....../...1.2/......"))
    assert board.solved
    assert board.left_out == ()


RULES = {
    "killer:r1c1r1c2r1c3:7": ((0, 1, 2), (SUM, 3), lambda a: sum(a) == 7),
    "greater:r1c1r1c2": ((0, 1), (RELATION, OPEN), lambda a: a[0] > a[1]),
    "sandwich:left1:0": (
        (0, 1, 2, 3),
        (PATTERN, EXACT),
        lambda a: abs(a.index(1) - a.index(4)) == 1,
    ),
}
"""Rules on a 4x4 with the cells of a step, its kernel and degree, and what they allow."""


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([*RULES]), st.data())
def test_as_much_comes_back_as_a_rule_allows(rule, data):
    cells, rung, allows = RULES[rule]
    own = [data.draw(st.integers(1, 15)) for _ in cells]

    def left(masks):
        found = [0] * len(cells)
        for digits in permutations(range(1, 5), len(cells)):
            if all(mask >> digit - 1 & 1 for mask, digit in zip(masks, digits, strict=True)):
                for i, digit in enumerate(digits):
                    found[i] |= allows(digits) << digit - 1
        return found

    gone = [mask & ~kept for mask, kept in zip(own, left(own), strict=True)]
    if rung[0] == RELATION:
        gone[0] = 0  # a relation rules out candidates of the other cell
    layout, _ = layout_of(Variant(f"4x4+{rule}"))
    more = [data.draw(st.integers(0, 15)) & ~mask for mask in own]
    outcomes = []
    for running in (compiled_kernels, plain_kernels):
        masks = np.array([own, more, gone])
        work = new_state(layout), new_finding(layout)
        with running():
            assert _give_back(layout, *work, np.array(rung), np.array(cells), masks)
        outcomes.append(masks.tolist())
    assert outcomes[0] == outcomes[1]
    kept, _, removed = outcomes[0]
    assert all(mask & ~both == 0 for mask, both in zip(own, kept, strict=True))
    assert all(out & ~both == 0 for out, both in zip(gone, removed, strict=True))
    assert not any(stays & out for stays, out in zip(left(kept), removed, strict=True))
    for i, mask in enumerate(more):
        for digit in range(4):
            if (mask & ~kept[i]) >> digit & 1:
                one = [both | (j == i) << digit for j, both in enumerate(kept)]
                assert any(out & stays for out, stays in zip(gone, left(one), strict=True))
