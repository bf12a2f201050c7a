"""Making Nurikabe: boards that obey the rules, puzzles with one solution, and their drawings."""

import numpy as np
import pytest
from helpers.samples.made_boards import a_board, puzzle_of, values_of

from nando.drawing.boards import board
from nando.drawing.nurikabe import PRINTED_RIVER
from nando.drawing.shapes import SCREEN, Path, Rect, Text
from nando.generators import Target, generate
from nando.generators.nurikabe_board import flip, has_wanted_sizes, new_board, renumber, set_board
from nando.generators.nurikabe_closure import LARGEST, N_ISLANDS, N_WHITE
from nando.generators.nurikabe_source import NurikabeSource, inside
from nando.kernels.compile import kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.exact.search import count_solutions, unique_solution

# Boards


@pytest.mark.parametrize("shape", [(3, 3), (4, 9), (10, 10)])
def test_drawn_boards_are_solutions(shape):
    for seed in range(10):
        board = a_board(shape, seed=seed)
        puzzle = puzzle_of(board)
        assert puzzle.is_solution(values_of(board))
        assert board.counts[N_WHITE] == puzzle.n_white
        assert board.counts[N_ISLANDS] == puzzle.n_islands
        assert board.counts[LARGEST] == puzzle.numbers.max()


def has_a_legal_river(board, colour):
    """Return True if a colouring is a solution once every island has its number."""
    trial = new_board((6, 7))
    values = inside(board, colour).ravel()
    set_board(trial, values, np.zeros(values.size, np.int16), np.random.default_rng(0))
    return (values == BLACK).any() and puzzle_of(trial).is_solution(values)


@kernel
def flip_from_python(board, cell, rng):
    """Flip a cell from a kernel, because a lean kernel takes no generator from Python."""
    return flip(board, cell, rng)


@pytest.mark.thorough
def test_moves_keep_boards_valid_and_refuse_only_invalid_changes():
    rng = np.random.default_rng(1)
    board = a_board()
    n_flipped = n_renumbered = 0
    for cell in rng.choice(board.cells, 300):
        before = board.colour.copy()
        flipped = before.copy()
        flipped[cell] = WHITE + BLACK - flipped[cell]
        is_legal = has_a_legal_river(board, flipped)
        if flip_from_python(board, cell, rng):
            n_flipped += 1
            assert is_legal
        else:
            assert not is_legal
            assert np.array_equal(board.colour, before)
        assert puzzle_of(board).is_solution(values_of(board))
        if board.colour[cell] == WHITE:
            n_renumbered += renumber(board, cell)
            assert board.number[cell] == board.size[board.label[cell]]
            assert puzzle_of(board).is_solution(values_of(board))
    assert n_flipped > 50
    assert n_renumbered > 20


def test_a_puzzle_is_laid_out_as_it_is():
    board, drawn = new_board((6, 7)), a_board()
    set_board(board, values_of(drawn), puzzle_of(drawn).numbers, np.random.default_rng(0))
    for mine, wanted in zip(board[:5], drawn[:5], strict=True):
        assert np.array_equal(mine, wanted)


# Puzzles


@pytest.mark.parametrize(
    ("shape", "mean_size"), [((5, 5), 2.0), ((5, 5), 3.5), ((7, 9), 3.0), ((10, 10), 3.0)]
)
def test_puzzles_have_one_solution_and_the_wanted_sizes(shape, mean_size):
    source = NurikabeSource(shape, mean_size)
    for made in generate(source, 5, seed=2):
        puzzle = made.puzzle
        assert puzzle.shape == shape
        assert (puzzle.numbers >= 0).all()
        assert count_solutions(puzzle) == 1
        islands = puzzle.n_white / mean_size
        assert abs(islands - puzzle.n_islands) <= 1 + 0.05 * puzzle.n_islands


def test_large_puzzles():
    (made,) = generate(NurikabeSource((15, 15), 2.5), 1, seed=1)
    assert count_solutions(made.puzzle) == 1
    assert made.puzzle.status().valid


def test_sizes_are_hidden_when_asked_for():
    source = NurikabeSource((6, 6), 3.0, unknown=2)
    for made in generate(source, 3, seed=3):
        assert (made.puzzle.numbers == -1).sum() == 2
        assert count_solutions(made.puzzle) == 1


@pytest.mark.parametrize("unknown", [0, 1])
def test_candidates_become_harder_and_easier(unknown):
    source = NurikabeSource((7, 7), 3.0, unknown=unknown)
    rng = np.random.default_rng(6)
    candidates = (source.draw(rng) for _ in range(100))
    candidate = next(found for found in candidates if found is not None)
    path = candidate.easier_ones(rng)
    assert path[-1] is candidate
    assert len(path) > 1
    assert [one.n_open for one in path] == sorted({one.n_open for one in path}, reverse=True)
    near = [next(path[0].moves(rng, harder=harder), None) for harder in (False, True)]
    assert near[0] is not None
    assert near[0].n_open <= path[0].n_open
    assert near[1] is None or near[1].n_open >= path[0].n_open
    for one in (*path, *(found for found in near if found)):
        assert np.array_equal(unique_solution(one.puzzle), one.solution)
        assert (one.puzzle.numbers == -1).sum() == unknown
        assert has_wanted_sizes(a_board_of(one), source.sizes)


def a_board_of(candidate):
    board = new_board(candidate.source.shape)
    numbers = candidate.puzzle.numbers
    set_board(board, candidate.solution, numbers, np.random.default_rng(0))
    return board


def test_the_search_arrives_in_a_range():
    """A range of the number of one-cell islands is reached, which moves raise and lower."""

    def ones(puzzle):
        return float((puzzle.numbers == 1).sum())

    target = Target.by(lambda puzzles: [ones(puzzle) for puzzle in puzzles], 4, 5)
    found = [made.puzzle for made in generate(NurikabeSource((7, 7), 2.5), 3, target=target)]
    assert all(4 <= ones(puzzle) <= 5 for puzzle in found)


def test_a_board_has_at_most_100_columns():
    assert NurikabeSource((5, 100)).shape == (5, 100)
    with pytest.raises(ValueError, match="got 5 by 101"):
        NurikabeSource((5, 101))


# Drawings


def test_drawing_of_a_puzzle_and_its_solution():
    puzzle = Nurikabe("(12).?/.../1..")
    pens = SCREEN
    drawn = board(puzzle, pens).shapes
    numbers = [shape for shape in drawn if isinstance(shape, Text)]
    assert [number.text for number in numbers] == ["12", "?", "1"]
    assert [(n.x, n.y) for n in numbers] == [(0.5, 0.5), (2.5, 0.5), (0.5, 2.5)]
    assert numbers[0].size < numbers[1].size
    lines = [shape for shape in drawn if isinstance(shape, Path)]
    assert [line.line for line in lines] == [pens.thin.line] * 4
    # The border is drawn last, over the ends of the thin lines.
    (border,) = [shape for shape in drawn if isinstance(shape, Rect)]
    assert border == Rect(0, 0, 3, 3, None, pens.thick.colour, pens.thick.line)
    assert drawn.index(border) > drawn.index(lines[-1])
    solved = board(puzzle, pens, "oxo/xxo/xxx").shapes
    river = solved[:6]
    assert {(box.x, box.y) for box in river} == {(1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)}
    assert {box.fill for box in river} == {PRINTED_RIVER}
    assert solved[6:] == drawn
