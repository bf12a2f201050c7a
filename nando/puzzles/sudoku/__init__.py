"""Sudoku of order 3 (9x9), 4 (16x16) and 5 (25x25)."""
