"""Boards of the generator of Nurikabe, and their puzzles."""

import numpy as np

from nando.generators.nurikabe_board import draw_board, new_board, propose
from nando.generators.nurikabe_source import inside
from nando.kernels.compile import kernel
from nando.puzzles.nurikabe import Nurikabe


@kernel
def drawn_from_python(board, wanted, n_moves, rng):
    """Draw a board in a kernel, because a lean kernel takes no generator from Python."""
    return draw_board(board, wanted, n_moves, rng)


@kernel
def moved_from_python(board, focus, renumbered, rng):
    """Move a board in a kernel, like :func:`drawn_from_python`."""
    return propose(board, focus, renumbered, rng)


def a_board(shape=(6, 7), wanted=(3.0, 7.0), seed=0):
    board = new_board(shape)
    drawn_from_python(board, wanted, 100, np.random.default_rng(seed))
    return board


def puzzle_of(board):
    return Nurikabe.from_numbers(inside(board, board.number))


def values_of(board):
    return inside(board, board.colour).ravel()
