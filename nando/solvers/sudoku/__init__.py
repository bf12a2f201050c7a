"""What solvers of Sudoku share."""
