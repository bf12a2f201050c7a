"""New Sudoku."""
