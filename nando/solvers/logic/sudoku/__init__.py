"""Techniques for Sudoku, one family per file."""
