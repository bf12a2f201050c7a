"""The logic solver on variants of Sudoku."""
