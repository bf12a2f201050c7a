"""Chains nested in assumptions: against a slow search, and on puzzles of known ratings."""

import numpy as np
import pytest
from helpers.oracles.chains import chains_of, houses_of, justified, opposite
from helpers.oracles.logic import Marks
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.walks import assert_sound, marks_of, step_of, walk

from nando.kernels.compile import lowest_bit
from nando.puzzles import Sudoku
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic import SUDOKU_EXPLAINER, LogicSolver
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains import nested
from nando.solvers.logic.chains.assumptions import (
    PATTERNS,
    WITH_CHAINS,
    WITH_DYNAMIC,
    WITH_MULTIPLE,
    assume,
)
from nando.solvers.logic.chains.deductions import COUNTS, n_literal_words, new_assumption
from nando.solvers.logic.chains.forcing import LENGTH, NONE
from nando.solvers.logic.chains.link_sets import list_implications
from nando.solvers.logic.chains.nested import find_nested_forcing, new_nested
from nando.solvers.logic.finders.finding import new_finding
from nando.solvers.logic.finders.grid import WORD, sudoku_grid
from nando.solvers.logic.finders.pencil_marks import given_state

# The definitions of dynamic assumptions and of the forcing chains that they make, slowly: plain
# Python over sets, on any grid of candidates.

NOTHING = 10**9


def without(marks, gone):
    """Return the marks without some candidates."""
    candidates = [set(digits) for digits in marks.candidates]
    for cell, digit in gone:
        candidates[cell].discard(digit)
    return Marks(candidates)


def follow(marks, start):
    """Return the premises of each literal that follows from one, and of the first contradiction.

    Literals that are on are followed before those that are off, each in the order of discovery. A
    literal is turned on by an elimination together with all others in its cell, or its house.
    """
    left = without(marks, ())
    behind = {start: frozenset([start])}
    waiting = {True: [], False: []}
    waiting[start[2]].append(start)

    def note(literal, parents):
        found = frozenset([literal]).union(*(behind[parent] for parent in parents))
        if opposite(literal) in behind:
            return (found, behind[opposite(literal)])
        if literal not in behind:
            behind[literal] = found
            waiting[literal[2]].append(literal)
        return None

    while waiting[True] or waiting[False]:
        literal = waiting[bool(waiting[True])].pop(0)
        cell, digit, on = literal
        houses = [
            house
            for kind in (2, 0, 1)
            for house in houses_of(marks, cell)
            if marks.houses.index(house) // 9 == kind
        ]
        if on:
            after = [(cell, other) for other in sorted(left.candidates[cell] - {digit})]
            for house in houses:
                after += [
                    (peer, digit)
                    for peer in house
                    if peer in left.at(digit, house) - {cell} and (peer, digit) not in after
                ]
            for pair in after:
                clash = note((*pair, False), [literal])
                if clash:
                    return behind, clash
            continue
        spots = [[(cell, other) for other in marks.candidates[cell]]]
        spots += [[(peer, digit) for peer in marks.at(digit, house)] for house in houses]
        for spot in spots:
            here = [(c, d) for c, d in spot if d in left.candidates[c] and (c, d) != (cell, digit)]
            if len(here) == 1:
                gone = [(c, d) for c, d in spot if d not in left.candidates[c]]
                clash = note((*here[0], True), [literal, *((c, d, False) for c, d in gone)])
                if clash:
                    return behind, clash
        left.candidates[cell].discard(digit)
    return behind, None


def forcing(marks):
    """Return, for each candidate that forcing chains remove, the fewest literals that do so."""
    followed = {}
    best = {}

    def reach(literal):
        if literal not in followed:
            followed[literal] = follow(marks, literal)
        return followed[literal]

    def prove(literal, length):
        cell, digit, on = literal
        for other in marks.candidates[cell] - {digit} if on else [digit]:
            best[cell, other] = min(best.get((cell, other), NOTHING), length)

    for cell, digits in enumerate(marks.candidates):
        if len(digits) < 2:
            continue
        starts = [[(cell, digit, True) for digit in sorted(digits)]]
        for digit in sorted(digits):
            for on in (True, False):
                clash = reach((cell, digit, on))[1]
                if clash:
                    prove((cell, digit, not on), sum(map(len, clash)))
            if len(digits) > 2:
                starts.append([(cell, digit, True), (cell, digit, False)])
            for house in houses_of(marks, cell):
                places = sorted(marks.at(digit, house))
                if len(places) > 1 and places[0] == cell:
                    starts.append([(place, digit, True) for place in places])
        for start in starts:
            found = [reach(literal)[0] for literal in start]
            for literal in set.intersection(*map(set, found)):
                prove(literal, sum(len(reached[literal]) for reached in found))
    return best


ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
EASTER = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"

KNOWN = {
    ESCARGOT: 10.5,
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...": 10.6,
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..": 10.7,
    EASTER: 11.6,
}
"""AI Escargot, Platinum Blonde, Inkala's of 2012 and Easter Monster, with the ratings that the
players' forums give them, by Sudoku Explainer 1.2.1."""


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        item if item[0] == ESCARGOT else pytest.param(*item, marks=pytest.mark.thorough)
        for item in KNOWN.items()
    ],
)
def test_famous_puzzles_have_their_ratings(text, rating):
    puzzle = Sudoku(text)
    solution, n_blanks = unique_solution(puzzle), puzzle.givens.size - puzzle.n_givens
    hardest = 0.0
    for step in LogicSolver(SUDOKU_EXPLAINER).steps(puzzle):
        hardest = max(hardest, step.rating)
        n_blanks -= step.placement is not None
        assert step.placement is None or solution[step.placement[0]] == step.placement[1]
        assert all(solution[cell] != digit for cell, digit in step.eliminations), step
    assert (n_blanks, hardest) == (0, rating)


ROUND = (WITH_CHAINS, WITH_MULTIPLE, WITH_DYNAMIC)


def assumed(text, literals, kind, effort):
    """Follow assumptions in the first grid of a puzzle, without nested chains and with them."""
    layout = sudoku_grid(3)
    state, _ = given_state(Sudoku(text))
    graph = list_implications(layout, state.candidates, state.positions)
    before, made = new_assumption(layout, graph.n, 0), new_assumption(layout, graph.n, graph.n)
    workspace = (made, new_nested(layout, graph.n), np.full(1, effort, np.int64))
    for literal in literals:
        assume(state, layout, graph, before, literal, PATTERNS, NONE)
        workspace[2][:] = effort
        nested._assume(state, layout, graph, workspace, literal, kind, NONE)
        yield state, graph, before, made


def pairs(graph, literals):
    return [(int(graph.cell[i >> 1]), int(graph.digit[i >> 1]) + 1) for i in literals.tolist()]


def turned_off(graph, before, made):
    """Return length and premises of the first nested chain that turned off each literal."""
    words = n_literal_words(made.n_behind.size)
    first = int(before.n_queued[0])
    found = {}
    for literal in made.queues[0, first : made.n_queued[0]]:
        chains = made.behind[made.owner[literal], words:]
        (word,) = np.flatnonzero(chains) if chains.any() else (-1,)
        start, n = made.parents_from[literal]
        if word < 0 or (n == 1 and made.parents[start] & 1):
            break
        chain = WORD * word + lowest_bit(int(chains[word]))
        (pair,) = pairs(graph, np.array([literal]))
        found[pair] = int(made.n_chained[chain]), pairs(graph, made.parents[start : start + n])
    return found


# In the first grid of Escargot, simple chains apply that nested chains do not repeat.
@pytest.mark.thorough
@pytest.mark.parametrize("text", [text for text in KNOWN if text != ESCARGOT])
def test_nested_chains_are_those_of_a_slow_search(text):
    """The chains are those of a slow search, and the premises of each suffice for it."""
    n_checked = 0
    for state, graph, before, made in assumed(text, range(120), WITH_DYNAMIC, 1):
        if before.counts["clash"][0] >= 0 or not made.counts["n_nested"][0]:
            continue
        n_checked += 1
        marks = marks_of(state)
        best = forcing(without(marks, pairs(graph, before.queues[0, : before.n_queued[0]])))
        found = turned_off(graph, before, made)
        assert {pair: length for pair, (length, _) in found.items()} == best
        pair, (_, relied) = max(found.items())
        assert pair in forcing(without(marks, relied))
        if n_checked == 2:
            break
    assert n_checked


@pytest.mark.thorough
def test_compiled_and_plain_python_nest_the_same():
    def known(kind):
        ((_, _, _, made),) = assumed(EASTER, [1], kind, 1)
        n = made.counts["n_nested"][0]
        counts = [made.counts[name][0] for name in COUNTS.names if name != "n_short"]
        chains = made.n_chained[:n], made.chained[:n].ravel()
        return np.concatenate([counts, made.n_queued, made.n_behind, *chains]).tolist()

    compiled, plain = compiled_and_plain(lambda: [known(kind) for kind in ROUND])
    assert compiled == plain


def nested_steps(text):
    for state, step in walk(Sudoku(text)):
        if step.technique.kernel == kernels.NESTED_FORCING:
            yield state, step


@pytest.mark.thorough
def test_compiled_and_plain_python_find_the_same_step():
    *_, (state, step) = nested_steps(ESCARGOT)
    kind, rating = step.technique.degree, round(step.technique.rating * 10)

    def find():
        finding = new_finding(3)
        effort = np.full(1, 2, np.int64)
        found = find_nested_forcing(state, sudoku_grid(3), finding, effort, kind, rating)
        return found, effort[0], step_of(step.technique, finding)

    compiled, plain = compiled_and_plain(find)
    assert compiled == plain


@pytest.mark.thorough
def test_links_of_nested_chains_come_after_their_premises():
    n_chains = 0
    for state, step in nested_steps(ESCARGOT):
        marks = marks_of(state)
        for start, found in chains_of(step.links):
            known = {start}
            for literal, parents in found.items():
                assert parents <= known
                if literal[2] or len(parents) == 1:
                    assert justified(marks, literal, parents) or not literal[2]
                n_chains += not literal[2] and len(parents) > 1
                known.add(literal)
    assert n_chains > 20


@pytest.mark.thorough
def test_each_nested_chain_has_its_literals():
    """A chain from a literal to its opposite has each of its literals once."""
    n_checked = 0
    for _, _, _, made in assumed(EASTER, range(400), WITH_CHAINS, 30):
        n = int(made.counts["n_nested"][0])
        rows = made.chained[:n]
        np.testing.assert_array_equal(rows.sum(axis=1), made.n_chained[:n])
        assert n == 0 or rows.max() == 1
        n_checked += n
    assert n_checked > 20


@pytest.mark.thorough
@pytest.mark.parametrize("count_once", [nested._count_once, nested._count_once.py_func])
def test_a_chain_that_was_met_counts_once(count_once):
    """Two chains are the same only if all their literals are; equal sums do not suffice."""
    layout = sudoku_grid(3)
    made = new_assumption(layout, 100, 3)
    target, n_words = 7, n_literal_words(201)
    made.owner[target] = target
    made.behind[target] = 0
    made.behind[target, n_words] = 0b111
    made.n_chained[:] = 2, 2, 3
    made.chained[:] = 0
    for chain, literals in enumerate([(3, 10), (6, 7), (3, 10, 12)]):
        made.chained[chain, list(literals)] = 1
    best = np.array([50, 0, 0, target])
    met = np.zeros((6, 200), np.uint8)
    assert count_once(made, best, met, 0) == 3
    assert best[LENGTH] == 50
    made.behind[target, n_words] = 0b101
    made.chained[2] = 0
    made.chained[2, [6, 10]] = 1
    assert count_once(made, best, met, 3) == 4
    assert best[LENGTH] == 48


def test_without_effort_the_walk_is_stuck():
    profile = LogicSolver(nested=0).profile(Sudoku(ESCARGOT))
    assert not profile.solved
    spent = LogicSolver(nested=40)
    assert not spent.profile(Sudoku(EASTER)).solved
    assert not assert_sound(Sudoku(EASTER), spent)
    with pytest.raises(ValueError, match="nested must be at least 0, got -1"):
        LogicSolver(nested=-1)


def test_the_ladder_is_climbed_in_its_order():
    """A technique that nests chains may have any place in a ladder."""
    rungs = {technique.degree: technique for technique in SUDOKU_EXPLAINER[-3:]}
    singles = SUDOKU_EXPLAINER[:3]
    solver = LogicSolver((rungs[WITH_CHAINS], *singles, SUDOKU_EXPLAINER[-4]), nested=200)
    steps = list(solver.steps(Sudoku(ESCARGOT)))
    assert steps[0].technique == rungs[WITH_CHAINS]
    ratings = solver.rate_many([Sudoku(ESCARGOT)])
    assert ratings.uses.sum() == len(steps)
