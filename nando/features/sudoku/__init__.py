"""Feature groups of Sudoku."""
