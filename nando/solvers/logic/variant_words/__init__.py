"""The steps of the logic solver on variants of Sudoku in words."""
