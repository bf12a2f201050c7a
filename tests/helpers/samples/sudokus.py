"""Sudokus that many tests solve."""

from nando.datasets import load_examples
from nando.puzzles import Sudoku

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
"""Of LINE, a puzzle that singles solve."""
EASY = Sudoku("..867.4.24.23...9.37..2.......4...5.89.251.67.1...3.......9..73.3...52.17.5.329..")
MEDIUM = Sudoku(".24..7...6..........368.415431..5...5......3279.....6.2.971.8...4..93...31...475.")
ESCARGOT = Sudoku(
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
)
"""AI Escargot."""
STUCK = Sudoku(".9.384.....2.7...........715....324..3.........1..5.9....8.....7.652.........64..")
"""Singles alone do not solve it."""
EXAMPLES = load_examples().puzzles
"""The example Sudokus, read once."""
NINES = [puzzle for puzzle in EXAMPLES if puzzle.order == 3]
SIXTEEN = next(puzzle for puzzle in EXAMPLES if puzzle.order == 4)
