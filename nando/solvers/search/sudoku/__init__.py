"""Search methods on Sudoku."""
