"""Chains of the logic solver: proofs checked link by link, lengths against slow searches."""

from itertools import islice

import numpy as np
import pytest
from helpers.data import needs
from helpers.oracles.chains import (
    chains_of,
    distances,
    follows,
    justified,
    opposite,
    shortest_chain,
    shortest_multiple,
)
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.walks import assert_sound, marks_of, step_of, walk

from nando.datasets import fetch_sudoku_exchange
from nando.puzzles import Sudoku
from nando.solvers.logic import SUDOKU_EXPLAINER, SUKAKU_EXPLAINER, LogicSolver
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains import link_sets
from nando.solvers.logic.chains.assumptions import DYNAMIC, NISHIO, PATTERNS, STATIC
from nando.solvers.logic.chains.chain import find_chain
from nando.solvers.logic.chains.forcing import (
    CELLS_FORCE,
    CONTRADICTION,
    HOUSE_FORCES,
    find_forcing,
)
from nando.solvers.logic.finders.aligned import find_aligned
from nando.solvers.logic.finders.finding import new_finding
from nando.solvers.logic.finders.grid import sudoku_grid

needs_bank = needs("sudoku_exchange", file="sample.txt")
CHAINS = (kernels.CHAIN, kernels.FORCING)

PUZZLES = [
    "9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68..",
    ".3..4.6..4.....7..8..9....5.7....9.6..673..2..24........34....2...3.9...19..2.4..",
    "....6.5....6..7..3.8...1..95..7..28...9....5..6.1..9.....29.1....8..6...49......8",
    "6...........14..3...2.....87...9..6..46.8.....8......9.3.....1.8...6.7.....73.9..",
]


@pytest.fixture(scope="module")
def chains():
    """Return the marks before every chain of the puzzles, and the step."""
    return [
        (marks_of(state), step)
        for steps in (SUKAKU_EXPLAINER, SUDOKU_EXPLAINER)
        for text in PUZZLES
        for state, step in walk(Sudoku(text), LogicSolver(steps))
        if step.technique.kernel in CHAINS
    ]


def test_the_puzzles_show_every_chain(chains):
    seen = {(step.technique.name, step.variant) for _, step in chains}
    assert {("chain", variant) for variant in range(1, 6)} <= seen
    assert ("nishio", CONTRADICTION) in seen
    for variant in (CELLS_FORCE, HOUSE_FORCES):
        assert ("multiple forcing chains", variant) in seen
        assert ("dynamic forcing chains", variant) in seen
    assert ("dynamic forcing chains", CONTRADICTION) in seen


def test_cycles_can_be_walked_both_ways(chains):
    n_checked = 0
    for marks, step in chains:
        if step.technique.kernel != kernels.CHAIN or step.variant >= link_sets.CHAIN_X:
            continue
        n_checked += 1
        nodes = [link[:3] for link in step.links]
        assert [link[3:] for link in step.links] == [*nodes[1:], nodes[0]]
        assert [on for _, _, on in nodes] == [True, False] * (len(nodes) // 2)
        for link in step.links:
            assert link[3:] in follows(marks, link[:3])
            assert opposite(link[:3]) in follows(marks, opposite(link[3:]))
        assert step.eliminations
        for cell, digit in step.eliminations:
            assert cell not in step.cells
            assert {on for at, d, on in nodes if d == digit and marks.see(at, cell)} == {
                True,
                False,
            }
        harder = 5 if step.variant == 3 else 0
        assert round(step.rating * 10) == 65 + harder + link_sets.longer(len(nodes))
    assert n_checked > 3


def proved(marks, step):
    """Return the literals that the chains of a step prove by an assumption and its opposite."""
    chains = chains_of(step.links)
    assumptions = [start for start, _ in chains]
    if step.technique.kernel == kernels.CHAIN:
        ((start, found),) = chains
        assert opposite(start) in found
        return {opposite(start)}
    if step.variant == CONTRADICTION:
        ((start, found),) = chains
        known = {start, *found}
        assert any(opposite(literal) in known for literal in known)
        return {opposite(start)}
    common = set.intersection(*({start, *found} for start, found in chains))
    if step.variant == HOUSE_FORCES:
        digit = assumptions[0][1]
        house = marks.houses[step.houses[0]]
        needed = {(cell, digit, True) for cell in marks.at(digit, house)}
    elif step.variant == CELLS_FORCE:
        cell = assumptions[0][0]
        needed = {(cell, digit, True) for digit in marks.candidates[cell]}
    else:
        needed = {assumptions[0], opposite(assumptions[0])}
    assert set(assumptions) <= needed
    # An assumption that is the conclusion itself has no chain.
    return {literal for literal in common if needed <= {*assumptions, literal}}


def test_every_link_follows_and_the_chains_prove_what_the_step_removes(chains):
    n_checked = 0
    for marks, step in chains:
        if step.technique.kernel == kernels.CHAIN and step.variant < link_sets.CHAIN_X:
            continue
        n_checked += 1
        for start, found in chains_of(step.links):
            known = {start}
            for literal, parents in found.items():
                assert parents <= known
                assert justified(marks, literal, parents), step
                known.add(literal)
        ends = proved(marks, step)
        cell = step.eliminations[0][0]
        removed = {digit for _, digit in step.eliminations}
        assert {at for at, _ in step.eliminations} == {cell}
        stays = marks.candidates[cell] - removed
        off = {(cell, digit, False) for digit in removed}
        assert off <= ends or {(cell, digit, True) for digit in stays} & ends
    assert n_checked > 20


@pytest.mark.thorough
def test_the_lengths_of_the_chains_from_every_candidate():
    layout = sudoku_grid(3)
    n_chains = 0
    chained = (
        state
        for text in PUZZLES
        for state, step in walk(Sudoku(text))
        if step.technique.kernel == kernels.CHAIN and step.variant >= link_sets.CHAIN_X
    )
    for state in islice(chained, 4):
        marks = marks_of(state)
        graph = link_sets.list_implications(layout, state.candidates, state.positions)
        sets = link_sets.link_sets(graph)
        for links, name in ((link_sets.X, "X"), (link_sets.XY, "XY")):
            wanted = np.zeros((2, graph.n), np.int64)
            for i, (cell, digit) in enumerate(zip(graph.cell, graph.digit, strict=True)):
                for on in (False, True):
                    start = (int(cell), int(digit) + 1, on)
                    found = distances(marks, start, name)
                    wanted[int(on), i] = found.get(opposite(start), 0)
            workspace = link_sets.new_lengths(graph.n, sets.cells.shape[1])
            least = wanted[wanted > 0].min(initial=2 * graph.n)
            for limit in (2 * graph.n, 9):
                link_sets.find_lengths(sets, links, limit, False, workspace)
                assert np.array_equal(workspace[0], np.where(wanted <= limit, wanted, 0))
            nearest = link_sets.find_lengths(sets, links, 2 * graph.n, True, workspace)
            assert nearest == (least if wanted.any() else 0)
            assert np.array_equal(workspace[0], np.where(wanted == least, wanted, 0))
            n_chains += np.count_nonzero(wanted)
    assert n_chains > 5


@pytest.mark.thorough
def test_no_forcing_chain_is_shorter(chains):
    n_checked = 0
    for marks, step in chains[::3]:
        if step.technique.kernel != kernels.CHAIN:
            continue
        for links, easiest in (("X", 66), ("XY", 70)):
            length = shortest_chain(marks, links)
            if length is not None:
                n_checked += 1
                assert round(step.rating * 10) <= easiest + link_sets.longer(length)
            if step.variant == (link_sets.CHAIN_X if links == "X" else link_sets.CHAIN_XY):
                assert round(step.rating * 10) == easiest + link_sets.longer(length)
                assert len(step.links) == length - 1
    assert n_checked > 5


def test_no_multiple_forcing_chains_are_shorter(chains):
    n_exact = 0
    for marks, step in chains[::3]:
        if step.technique.degree == STATIC and step.technique.kernel == kernels.FORCING:
            length, clash = shortest_multiple(marks)
            if not clash:
                n_exact += 1
                assert round(step.rating * 10) == 80 + link_sets.longer(length)
    assert n_exact > 1


@pytest.mark.thorough
def test_compiled_and_plain_python_find_the_same():
    layout = sudoku_grid(3)
    calls = [(find_chain, (65,))]
    calls += [(find_forcing, (kind, 80)) for kind in (STATIC, NISHIO, DYNAMIC, PATTERNS)]
    calls += [(find_aligned, (degree, 60)) for degree in (2, 3)]
    state = next(state for state, step in walk(Sudoku(PUZZLES[0])) if step.rating >= 8.5)
    compiled, plain = compiled_and_plain(
        lambda: [found_by(kernel, state, layout, arguments) for kernel, arguments in calls]
    )
    assert sum(step is not None for step in compiled) >= 2
    assert plain == compiled


def found_by(kernel, state, layout, arguments):
    finding = new_finding(3)
    return (
        step_of(SUKAKU_EXPLAINER[0], finding)
        if kernel(state, layout, finding, *arguments)
        else None
    )


@pytest.mark.parametrize("kind", [STATIC, NISHIO, DYNAMIC, PATTERNS])
def test_every_kind_of_assumption_is_sound(kind):
    forcing = [t for t in SUKAKU_EXPLAINER if (t.kernel, t.degree) == (kernels.FORCING, kind)]
    singles = [t for t in SUKAKU_EXPLAINER if t.rating < 2.4]
    solver = LogicSolver((*singles, *forcing))
    solved = [
        assert_sound(Sudoku(text), solver) for text in PUZZLES[: 1 if kind == PATTERNS else 4]
    ]
    assert all(solved) or kind in (STATIC, NISHIO)


def test_length_adds_to_the_rating_in_steps():
    added = [link_sets.longer(n) for n in (2, 6, 7, 8, 9, 10, 11, 14, 15, 18, 19, 26, 27)]
    assert added == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]


@pytest.fixture(scope="module")
def bank():
    return fetch_sudoku_exchange(bucket="sample")


@pytest.mark.thorough
@needs_bank
def test_hard_ratings_agree_with_the_bank(bank):
    hard = np.flatnonzero(bank.target > 6.4)[::3]
    ratings = LogicSolver().rate_many([bank.puzzles[index] for index in hard])
    assert ratings.solved.all()
    agrees = np.abs(ratings.rating - bank.target[hard]) < 0.05
    for low, high in ((6.4, 7.5), (7.5, 8.4), (8.4, 9.5)):
        band = (bank.target[hard] > low) & (bank.target[hard] <= high)
        assert agrees[band].mean() >= 0.99, (low, high)


@needs_bank
def test_no_chain_on_the_bank_is_wrong(bank):
    for index in np.flatnonzero(bank.target > 6.4)[::40]:
        assert assert_sound(bank.puzzles[index])
