"""The kernels that find steps on a Sudoku, one file per family of techniques."""
