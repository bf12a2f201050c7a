"""The logic solver: each technique by a pattern made for it, by its definition, and by results."""

import itertools
from collections import Counter

import numpy as np
import pytest
from helpers.data import needs
from helpers.oracles.logic import DEFINITIONS
from helpers.plain_kernels import compiled_and_plain, compiled_kernels, plain_kernels
from helpers.samples.house_puzzles import HOUSE_PUZZLES
from helpers.samples.logic_patterns import ONLY_EXPLAINER, PATTERNS, PUZZLES, cells, pattern
from helpers.samples.nurikabe_boards import EASY
from helpers.samples.sudokus import EXAMPLES
from helpers.samples.walks import assert_sound, dug, marks_of, step_of, walk

from nando.datasets import fetch_sudoku_exchange
from nando.puzzles import PuzzleError, Sudoku
from nando.solvers import Limit, Outcome, Solver
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic import SUDOKU_EXPLAINER, SUKAKU_EXPLAINER, LogicSolver, read_order
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.house_ladder import find_step
from nando.solvers.logic.finders.aligned import find_aligned
from nando.solvers.logic.finders.finding import new_finding
from nando.solvers.logic.finders.grid import sudoku_grid
from nando.solvers.logic.finders.link_graph import find_strong_links
from nando.solvers.logic.finders.loops import find_bug, find_unique_loop
from nando.solvers.logic.finders.pencil_marks import LogicState
from nando.solvers.logic.finders.singles import find_hidden_single, find_locked, find_naked_single
from nando.solvers.logic.finders.subsets import find_fish, find_hidden_subset, find_naked_subset
from nando.solvers.logic.finders.wings import find_large_wing, find_wing
from nando.solvers.logic.technique import standard_ladder

needs_bank = needs("sudoku_exchange", file="sample.txt")


def state_of(candidates, values=None):
    """Return the state with these candidates, each array computed from its meaning."""
    size = round(len(candidates) ** 0.5)
    layout = sudoku_grid(round(size**0.5))
    values = np.zeros(size * size, np.int8) if values is None else np.array(values, np.int8)
    positions = np.zeros((3 * size, size), np.int64)
    empties = np.zeros(3 * size, np.int64)
    hidden = np.zeros(3 * size, np.int64)
    single_in, last_in = set(), set()
    for house in range(3 * size):
        for position, cell in enumerate(layout.houses[house]):
            if values[cell] == 0:
                empties[house] |= 1 << position
            for digit in candidates[cell]:
                positions[house, digit - 1] |= 1 << position
        for digit in range(size):
            if int(positions[house, digit]).bit_count() == 1:
                hidden[house] |= 1 << digit
        if hidden[house]:
            single_in.add(list(layout.in_order).index(house))
        if int(empties[house]).bit_count() == 1:
            last_in.add(list(layout.in_order).index(house))
    naked = {cell for cell, digits in enumerate(candidates) if len(digits) == 1}
    masks = np.array([sum(1 << digit - 1 for digit in digits) for digits in candidates], np.int64)
    return LogicState(
        values,
        masks,
        positions.ravel(),
        empties,
        hidden,
        bits_of(naked, size * size),
        bits_of(single_in, 3 * size),
        bits_of(last_in, 3 * size),
        np.array([np.count_nonzero(values == 0)]),
    )


def bits_of(members, n):
    """Return a set of numbers below n as bits, 63 in a word."""
    return np.array(
        [sum(1 << i % 63 for i in members if i // 63 == word) for word in range(n // 63 + 1)]
    )


TWO_FINDINGS = (find_strong_links, find_large_wing, find_unique_loop, find_bug)
RUNGS = {
    find_hidden_single: (kernels.HIDDEN_SINGLE,),
    find_naked_single: (kernels.NAKED_SINGLE,),
    find_locked: (
        kernels.POINTING,
        kernels.DIRECT_POINTING,
        kernels.CLAIMING,
        kernels.DIRECT_CLAIMING,
    ),
    find_hidden_subset: (kernels.HIDDEN_SUBSET, kernels.DIRECT_HIDDEN_SUBSET),
    find_naked_subset: (kernels.NAKED_SUBSET,),
    find_fish: (kernels.FISH,),
    find_strong_links: (kernels.STRONG_LINKS,),
    find_wing: (kernels.WING,),
    find_large_wing: (kernels.LARGE_WING,),
    find_unique_loop: (kernels.UNIQUE_LOOP,),
    find_bug: (kernels.BIVALUE_UNIVERSAL_GRAVE,),
    find_aligned: (kernels.ALIGNED,),
}
"""Numbers of the finders, by the flags among their arguments as bits."""


def rung_of(kernel, arguments):
    """Return a ladder of one finder, so that no finder is compiled by itself."""
    flags = [value for value in arguments if isinstance(value, bool)]
    degrees = [value for value in arguments[:-1] if not isinstance(value, bool)]
    number = RUNGS[kernel][sum(flag << i for i, flag in enumerate(flags[::-1]))]
    return np.array([[number, *(degrees or [0]), arguments[-1]]], np.int64)


def found_by(kernel, state, arguments):
    """Return the step that a kernel finds, after checking that compiled and plain runs agree."""
    order = round(len(state.values) ** 0.25)
    layout, findings = sudoku_grid(order), [new_finding(order) for _ in range(2)]
    with compiled_kernels():
        found = find_step(state, layout, rung_of(kernel, arguments), *findings) == 0
    compiled = step_of(SUKAKU_EXPLAINER[0], findings[0]) if found else None
    findings = [new_finding(order) for _ in range(2 if kernel in TWO_FINDINGS else 1)]
    with plain_kernels():
        found = kernel(state, layout, *findings, *arguments)
    assert compiled == (step_of(SUKAKU_EXPLAINER[0], findings[0]) if found else None)
    return compiled


def expected(eliminations, candidates):
    pairs = set()
    for digits, text in eliminations.items():
        inside, _, outside = text.partition(" - ")
        for cell in cells(inside) - cells(outside):
            pairs |= {(cell, int(digit)) for digit in digits if int(digit) in candidates[cell]}
    return pairs


@pytest.mark.parametrize(
    ("kernel", "arguments", "given", "only", "rating", "wanted"),
    [case[1:] for case in PATTERNS],
    ids=[case[0] for case in PATTERNS],
)
def test_a_kernel_finds_the_pattern_made_for_it(kernel, arguments, given, only, rating, wanted):
    candidates = pattern(given, only)
    step = found_by(kernel, state_of(candidates), arguments)
    assert step is not None
    assert round(step.rating * 10) == rating
    if isinstance(wanted, tuple):
        assert step.placement == (*cells(wanted[0]), wanted[1])
    else:
        assert step.placement is None
        assert set(step.eliminations) == expected(wanted, candidates)
    assert found_by(kernel, state_of(pattern({}, [])), arguments) is None


def states(puzzles, most):
    """Yield states of solutions before a step rated above `most` (tenths), or before none."""
    for puzzle in puzzles:
        for state, step in walk(puzzle):
            if step.rating * 10 > most:
                yield state


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_kernel_finds_a_pattern_where_the_definition_has_one(name):
    definition = DEFINITIONS[name]
    kernel, arguments, digits, only = next(case[1:5] for case in PATTERNS if case[0] == name)
    met = [state_of(pattern(digits, only)), state_of(pattern({}, []))]
    met_in = [PUZZLES["two strong links 4.3"], PUZZLES[name]]
    seen = set()
    for state in itertools.chain(met, states(met_in, arguments[-1] - 1)):
        patterns = definition(marks_of(state))
        step = found_by(kernel, state, arguments)
        seen.add(step is None)
        if step is None:
            assert not patterns
        else:
            assert (frozenset(step.cells), frozenset(step.eliminations)) in patterns
    assert seen == {True, False}


@pytest.mark.parametrize("name", PUZZLES)
def test_a_puzzle_needs_the_technique_it_is_named_after_and_no_step_is_wrong(name):
    puzzle = PUZZLES[name]
    solver = LogicSolver(SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else SUKAKU_EXPLAINER)
    assert_sound(puzzle, solver)
    uses = solver.profile(puzzle).uses
    technique = max((known for known in uses if name.startswith(known)), key=len)
    assert uses[technique]


def test_updated_pencil_marks_equal_new_ones():
    for name in ("VWXYZ-wing 6.4", "naked single"):
        for state, _ in walk(PUZZLES[name]):
            fresh = state_of(marks_of(state).candidates, state.values)
            for field, array in state._asdict().items():
                assert np.array_equal(array, getattr(fresh, field)), field


def test_compiled_and_plain_python_solve_alike():
    chosen = [PUZZLES[name] for name in ("VWXYZ-wing", "bivalue universal grave 5.7")]
    compiled, plain = compiled_and_plain(lambda: LogicSolver().rate_many(chosen))
    assert np.array_equal(compiled.uses, plain.uses)
    assert np.array_equal(compiled.rating, plain.rating)


def test_ratings_do_not_change_under_the_symmetries():
    chosen = list(PUZZLES.values())
    ratings = LogicSolver().rate_many(chosen)
    easy = ratings.solved & (ratings.rating <= 4.4)
    assert easy.sum() > 10
    rng = np.random.default_rng(4)
    for _ in range(3):
        again = LogicSolver().rate_many([puzzle.shuffled(rng) for puzzle in chosen])
        assert np.array_equal(again.rating[easy], ratings.rating[easy])


def test_the_example_puzzles():
    chosen = EXAMPLES[::4]
    ratings = LogicSolver().rate_many(chosen)
    for puzzle, rating, uses in zip(chosen, ratings.rating, ratings.uses, strict=True):
        assert_sound(puzzle)
        run = LogicSolver().run(puzzle)
        assert (run.steps, run.trace["cost"].max()) == (uses.sum(), rating)
    assert ratings.solved.all()


@pytest.mark.parametrize(
    ("order", "n_givens", "seed"), [(4, 85, 3), pytest.param(5, 300, 2, marks=pytest.mark.slow)]
)
def test_larger_orders(order, n_givens, seed):
    """The whole ladder works on larger orders."""
    puzzle = dug(order, n_givens, seed)
    assert_sound(puzzle)
    run = LogicSolver().run(puzzle)
    assert run.outcome is Outcome.SOLVED
    used = {step.technique.kernel for step in LogicSolver().steps(puzzle)}
    assert {
        kernels.STRONG_LINKS,
        kernels.LARGE_WING,
        kernels.CHAIN,
        kernels.FORCING,
    } <= used
    assert len(used) > 10


def test_nested_chains_on_a_larger_order():
    puzzle = dug(4, 85, 3)
    nested = [t for t in SUKAKU_EXPLAINER if t.kernel == kernels.NESTED_FORCING]
    solver = LogicSolver((*SUKAKU_EXPLAINER[:3], *nested), nested=60)
    solution = unique_solution(puzzle)
    n_nested = 0
    for step in itertools.islice(solver.steps(puzzle), 40):
        n_nested += step.technique in nested
        assert step.placement is None or solution[step.placement[0]] == step.placement[1]
        assert all(solution[cell] != digit for cell, digit in step.eliminations), step
    assert n_nested


KINDS = {"sudoku": PUZZLES["naked pair"], "nurikabe": EASY, "variant": HOUSE_PUZZLES["killer"]}


@pytest.mark.parametrize("kind", KINDS)
def test_runs_end_solved_stuck_or_at_a_limit(kind):
    puzzle = KINDS[kind]
    whole = LogicSolver().run(puzzle)
    assert whole.outcome is Outcome.SOLVED
    assert puzzle.is_solution(whole.solution)
    assert sorted(whole.trace["cell"]) == np.flatnonzero(puzzle.givens == 0).tolist()
    assert (whole.trace["value"] == whole.solution[whole.trace["cell"]]).all()
    part = LogicSolver().run(puzzle, limit=Limit(steps=3))
    assert (part.outcome, part.steps, part.solution) == (Outcome.STEP_LIMIT, 3, None)
    assert np.array_equal(part.trace, whole.trace[: len(part.trace)])
    assert LogicSolver().run(puzzle, limit=Limit(steps=whole.steps)).outcome is Outcome.SOLVED
    assert LogicSolver().run(puzzle, limit=Limit(seconds=1e-9)).outcome is Outcome.TIME_LIMIT
    assert LogicSolver(standard_ladder(kind)[:2]).run(puzzle).outcome is Outcome.STUCK


@pytest.mark.parametrize("n_rungs", [None, 4])
@pytest.mark.parametrize("kind", [*KINDS, "hodoku"])
def test_ratings_and_profiles_count_the_steps_of_walks(kind, n_rungs):
    ladder = standard_ladder(kind) if kind in KINDS else read_order(kind).ladder
    puzzle, solver = KINDS.get(kind, KINDS["sudoku"]), LogicSolver(ladder[:n_rungs])
    steps, profile = list(solver.steps(puzzle)), solver.profile(puzzle)
    used = Counter(step.technique.name for step in steps)
    named = {t.name: used[t.name] for t in solver.rungs_for(puzzle)}
    assert profile.uses == named if kind in KINDS else sum(profile.uses.values()) == len(steps)
    assert (profile.solved, profile.rating) == (
        n_rungs is None,
        max((step.rating for step in steps), default=0.0),
    )
    ratings = solver.rate_many([puzzle, puzzle])
    assert ratings.solved.tolist() == [profile.solved] * 2
    assert ratings.rating.tolist() == [profile.rating] * 2
    assert ratings.uses.tolist() == [list(profile.uses.values())] * 2
    n_filled = sum(len(s.cells) if kind == "nurikabe" else bool(s.placement) for s in steps)
    assert (ratings.blanks == np.count_nonzero(puzzle.givens == 0) - n_filled).all()


@pytest.mark.parametrize("kind", [None, *KINDS])
def test_a_ladder_rises_and_its_names_and_rungs_are_its_own(kind):
    ladder = standard_ladder(kind) if kind else SUDOKU_EXPLAINER
    ratings = [technique.rating for technique in ladder]
    # A variant's what-ifs stand by how far they look.
    assert ratings == sorted(ratings) or kind == "variant"
    assert len({technique.name for technique in ladder}) == len(ladder)
    assert len({(technique.kernel, technique.degree) for technique in ladder}) == len(ladder)


def test_the_ladder_is_the_callers():
    puzzle = PUZZLES["naked single"]
    hidden = tuple(t for t in SUKAKU_EXPLAINER if t.kernel == kernels.HIDDEN_SINGLE)
    assert LogicSolver().profile(puzzle).solved
    assert not LogicSolver(hidden).profile(puzzle).solved
    with pytest.raises(ValueError, match="at least one technique"):
        LogicSolver(())


def test_invalid_input_is_refused():
    assert isinstance(LogicSolver(), Solver)
    with pytest.raises(PuzzleError):
        LogicSolver().run(Sudoku("." * 81))
    with pytest.raises(TypeError, match="of one kind, sudoku, nurikabe, variant; got str"):
        LogicSolver().rate_many(["." * 81])
    conflicting = Sudoku("11" + "." * 79)
    assert not LogicSolver().rate_many([conflicting]).solved[0]


@pytest.fixture(scope="module")
def bank():
    return fetch_sudoku_exchange(bucket="sample")


@pytest.mark.thorough
@needs_bank
def test_ratings_agree_with_the_bank(bank):
    ratings = LogicSolver().rate_many(bank.puzzles)
    agrees = ratings.solved & (np.abs(ratings.rating - bank.target) < 0.05)
    for low, high, least in ((0, 2.5, 0.999), (2.5, 4.4, 0.99), (4.4, 5.0, 0.99), (5.0, 6.4, 0.99)):
        band = (bank.target > low) & (bank.target <= high)
        assert agrees[band].mean() >= least, (low, high)


@pytest.mark.thorough
@needs_bank
def test_no_step_on_the_bank_is_wrong(bank):
    for puzzle in bank.puzzles[::12]:
        assert_sound(puzzle)
        assert_sound(puzzle, LogicSolver(SUDOKU_EXPLAINER))
