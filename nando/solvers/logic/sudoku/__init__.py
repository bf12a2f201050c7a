"""Techniques for Sudoku, one family a file."""
