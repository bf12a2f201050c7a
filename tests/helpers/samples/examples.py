"""The example Sudokus, read once."""

from nando.datasets import load_examples

EXAMPLES = load_examples().puzzles
NINES = [puzzle for puzzle in EXAMPLES if puzzle.order == 3]
SIXTEEN = next(puzzle for puzzle in EXAMPLES if puzzle.order == 4)
