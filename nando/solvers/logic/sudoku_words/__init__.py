"""Steps of a Sudoku in words, and the names of their families."""
