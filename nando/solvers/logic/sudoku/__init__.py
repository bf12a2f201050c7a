"""The logic solver of Sudoku: its ladder, and the steps that it takes."""
