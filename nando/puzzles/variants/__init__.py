"""Sudoku of any size with any rules."""
