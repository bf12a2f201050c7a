"""Nurikabe to test on, and all solutions of the small ones."""

from functools import cache
from pathlib import Path

import numpy as np

from helpers.oracles import logic_nurikabe as naive
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe

EASY = Nurikabe(".3..1/...../..2../...../.4.2.")


WHAT_IF = Nurikabe("3...2./....../.....8/....../...1.2/......")
GUESSED = Nurikabe("......../.....3.1/.4....../......1./.2.1.?../......1./...1.1..")
"""One solution, not found without guesses; one island is of unknown size."""
LOOSE = Nurikabe("...../.?.1./...../1..?./.....")
"""134 solutions."""

_FILE = Path(__file__).resolve().parents[3] / "examples" / "nurikabe.txt"
EXAMPLES = tuple(
    Nurikabe(line)
    for line in _FILE.read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)


def drawn(shape, rng):
    """Return a puzzle with a solution, not always the only one, and that solution."""
    n_rows, n_columns = shape
    while True:
        white = {(r, c): rng.random() < 0.5 for r in range(n_rows) for c in range(n_columns)}
        board = {cell: "o" if is_white else "#" for cell, is_white in white.items()}
        # If a colouring breaks a rule, turn cells of the block or of a part of the river white.
        for block in naive.blocks(board):
            if all(board[cell] == "#" for cell in block):
                board[sorted(block)[rng.integers(4)]] = "o"
        parts = sorted(naive.groups(board, "#"), key=len)
        for part in parts[:-1]:
            board |= dict.fromkeys(part, "o")
        numbers = np.zeros(shape, int)
        for island in naive.groups(board, "o"):
            cell = sorted(island)[rng.integers(len(island))]
            numbers[cell] = -1 if rng.random() < 0.08 else len(island)
        if parts and numbers.any():
            return Nurikabe.from_numbers(numbers), board


def is_one_river(bits):
    """Return True if the cells of a 4x4 board whose bits are set hang together."""
    part, grown = 0, bits & -bits
    while part != grown:
        part = grown
        beside = part << 4 | part >> 4 | (part & 0x7777) << 1 | (part & 0xEEEE) >> 1
        grown |= beside & bits
    return part == bits


@cache
def boards():
    """Return the values, sizes and island names of all 4x4 boards with one river and no pool."""
    cells = [(r, c) for r in range(4) for c in range(4)]
    kept = []
    for bits in range(1 << 16):
        pools = bits & bits >> 1 & bits >> 4 & bits >> 5
        if any(pools >> (4 * r + c) & 1 for r in range(3) for c in range(3)):
            continue
        if not is_one_river(bits):
            continue
        board = {cell: ".#"[bits >> i & 1] for i, cell in enumerate(cells)}
        name = {cell: island for island in naive.groups(board, ".") for cell in island}
        row = [(len(name[c]), min(name[c])) if c in name else (0, (9, 9)) for c in cells]
        kept.append([(size, 4 * least[0] + least[1]) for size, least in row])
    found = np.array(kept)
    sizes, names = found[:, :, 0], found[:, :, 1]
    n_islands = np.array([len(set(row) - {45}) for row in names.tolist()])
    return np.where(sizes > 0, WHITE, BLACK), sizes, names, n_islands


@cache
def solutions(puzzle):
    """Return all solutions of a 4x4 puzzle, shape (n, 16)."""
    values, sizes, names, n_islands = boards()
    at = np.flatnonzero(puzzle.numbers)
    numbers = puzzle.numbers[at]
    fits = (sizes[:, at] == numbers) | ((numbers == -1) & (sizes[:, at] > 0))
    distinct = np.array([len(set(row)) for row in names[:, at].tolist()])
    return values[fits.all(axis=1) & (n_islands == len(at)) & (distinct == len(at))]


SMALL = [drawn((4, 4), np.random.default_rng([3, seed]))[0] for seed in range(60)]
