"""Cycles and chains of a Sudoku: what an assumption implies."""
