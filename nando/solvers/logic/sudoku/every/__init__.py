"""Every step of a technique on a Sudoku, where the finders stop at the first."""
