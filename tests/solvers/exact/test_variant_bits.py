"""The search on bits against plain Python on sets, against enumeration and the other search."""

import numpy as np
import pytest
from helpers.oracles.variants import sees
from numba import config

from nando.generators.variants.board import random_board
from nando.puzzles import Variant
from nando.puzzles.boards.constraints import AllDifferent
from nando.solvers import count_many, count_solutions
from nando.solvers.exact import variant_bits
from nando.solvers.exact.variant_bits import BitSearch
from nando.solvers.exact.variants import VariantSearch, quick_search
from nando.solvers.variants.bits import bit_network
from nando.solvers.variants.network import network_of

BOARDS = [
    "9x9+windoku",
    "9x9+anti-knight",
    "9x9+diagonals+disjoint-groups",
    "9x9+no-boxes+anti-king",
    "9x9+girandola+odd:r2c2r3c7+low:r5c5",
    "8x8+diagonals",
    "10x10",
    "11x11+no-boxes+diagonals",
]
"""Boards of one word and of two, of up to 121 cells."""


def numbers_of(puzzle):
    """Return the bit number of each cell."""
    n = len(puzzle.board.cells)
    return [i if i < (n + 1) // 2 else 64 + i - (n + 1) // 2 for i in range(n)]


def state_of(puzzle, left):
    """Return the state in which cells have these digits."""
    state = bit_network(puzzle.board, puzzle.rules).start.copy()
    for digit in range(1, puzzle.size + 1):
        for word in range(2):
            state[3 * digit - 3 + word] = sum(
                1 << number % 64
                for cell, number in zip(puzzle.board.cells, numbers_of(puzzle), strict=True)
                if number >> 6 == word and digit in left[cell]
            )
    return state


def sets_of(puzzle, state):
    return {
        cell: {
            digit
            for digit in range(1, puzzle.size + 1)
            if state[3 * digit - 3 + (number >> 6)] >> (number & 63) & 1
        }
        for cell, number in zip(puzzle.board.cells, numbers_of(puzzle), strict=True)
    }


def settled(puzzle, candidates):
    """Return what singles and up to three places of a digit in a house leave; None if nothing."""
    left = {cell: set(digits) for cell, digits in candidates.items()}
    pairs = sees(puzzle)
    houses = [
        own.cells
        for _, own in puzzle.constraints
        if isinstance(own, AllDifferent) and len(own.cells) == puzzle.size
    ]
    while True:
        before = {cell: set(digits) for cell, digits in left.items()}
        for cell, other in pairs:
            if len(left[cell]) == 1:
                left[other] -= left[cell]
        for house in houses:
            for digit in range(1, puzzle.size + 1):
                places = [cell for cell in house if digit in left[cell]]
                if not places:
                    return None
                if len(places) == 1:
                    left[places[0]] &= {digit}
                elif len(places) <= 3:
                    for cell, digits in left.items():
                        if all((cell, place) in pairs for place in places):
                            digits -= {digit}
        if not all(left.values()):
            return None
        if left == before:
            return left


def drawn(text, rng, share):
    """Return a board with some of the digits of a random solution, and the solution."""
    board = Variant(text)
    network = network_of(board)[0]
    digits = random_board(network, rng)
    values = np.zeros(board.givens.size, np.int8)
    values[board.places] = np.where(rng.random(network.n_cells) < share, digits, 0)
    boxed = any(rule.name == "boxes" for rule in board.rules)
    return Variant.of(values, board.rules, boxed=boxed), digits


@pytest.mark.parametrize("text", ["4x4+diagonals", "6x6", "5x5+no-boxes+anti-king"])
def test_singles_and_locked_candidates(text):
    puzzle = Variant(text)
    rng = np.random.default_rng(1)
    network = bit_network(puzzle.board, puzzle.rules)
    ends = set()
    for turn in range(40):
        share = rng.choice([0.2, 0.4, 0.7])
        _, digits = drawn(text, rng, 0)
        known = dict(zip(puzzle.board.cells, digits.tolist(), strict=True))
        left = {
            cell: {d for d in range(1, puzzle.size + 1) if rng.random() < share}
            | ({known[cell]} if turn % 2 else {int(rng.integers(puzzle.size)) + 1})
            for cell in puzzle.board.cells
        }
        state, weights = state_of(puzzle, left), network.weights.copy()
        sound = variant_bits._settle(state, network, weights)
        expected = settled(puzzle, left)
        assert sound == (expected is not None)
        if sound:
            assert sets_of(puzzle, state) == expected
        assert (weights > network.weights).any() != sound
        ends.add(sound)
    assert ends == {True, False}


@pytest.mark.parametrize("text", BOARDS)
def test_both_searches_count_the_same(text):
    rng = np.random.default_rng(2)
    counts, puzzles = [], []
    for share in (0.2, 0.25, 0.3, 0.4, 0.6):
        puzzle, _ = drawn(text, rng, share)
        # Change the digit of one cell, which mostly leaves no solution.
        values = puzzle.givens.copy()
        place = int(rng.choice(np.flatnonzero(values)))
        values[place] = values[place] % puzzle.size + 1
        boxed = any(rule.name == "boxes" for rule in puzzle.rules)
        for each in (puzzle, Variant.of(values, puzzle.rules, boxed=boxed)):
            own, other = quick_search(each), VariantSearch(each)
            assert isinstance(own, BitSearch)
            for search in (own, other):
                search.advance(30, 1 << 62)
            count = int(own.progress[1])
            assert count == other.progress[1]
            assert all(each.is_solution(row) for row in own.solutions[:count])
            if count == 1:
                assert (own.solutions[0] == other.solutions[0]).all()
            counts.append(count)
            puzzles.append(each)
    assert 0 in counts
    assert max(counts) > 0
    alike = [puzzle for puzzle in puzzles if puzzle.rules == puzzles[0].rules]
    assert count_many(alike, 30).tolist() == [count_solutions(each, 30) for each in alike]


@pytest.mark.parametrize(
    "text", ["9x9+killer:r1c1r1c2:5", "9x9+samurai", "12x12", "4x4+clone:r1c1:r3c2"]
)
def test_other_boards_have_no_bits(text):
    puzzle = Variant(text)
    assert bit_network(puzzle.board, puzzle.rules) is None
    assert isinstance(quick_search(puzzle), VariantSearch)


@pytest.mark.skipif(config.DISABLE_JIT, reason="needs compiled kernels")
def test_the_kernel_is_compiled_once_for_all_boards():
    puzzles = [Variant(text) for text in ("1x1", "2x2", "9x9+windoku", "9x9+odd:r1c1", "11x11")]
    for puzzle in puzzles:
        assert count_solutions(puzzle) == count_many([puzzle, puzzle])[0]
    assert len(variant_bits.advance_bits.dispatcher.signatures) == 1
