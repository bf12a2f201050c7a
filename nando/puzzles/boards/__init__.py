"""The board of a variant of Sudoku: cells, constraints on them, and what a rule is."""
