"""Imitations of people on Sudoku."""
