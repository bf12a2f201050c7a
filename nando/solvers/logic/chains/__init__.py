"""Cycles and chains of a Sudoku: the consequences of assumptions."""
