"""Boards of the generator of Nurikabe, and their puzzles."""

import numpy as np

from nando.generators.nurikabe.islands import draw_board, new_board
from nando.generators.nurikabe.source import _inside
from nando.puzzles.nurikabe import Nurikabe


def a_board(shape=(6, 7), wanted=(3.0, 7.0), seed=0):
    board = new_board(shape)
    draw_board(board, wanted, 100, np.random.default_rng(seed))
    return board


def puzzle_of(board):
    return Nurikabe.from_numbers(_inside(board, board.number))


def values_of(board):
    return _inside(board, board.colour).ravel()
