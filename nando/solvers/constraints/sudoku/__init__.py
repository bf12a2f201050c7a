"""Constraint methods on Sudoku."""
