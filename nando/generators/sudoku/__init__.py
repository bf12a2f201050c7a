"""Sudoku puzzles in the making."""
