"""The state of a Sudoku, and the kernels that find patterns on it."""
