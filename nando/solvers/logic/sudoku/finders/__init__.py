"""What the kernels look for on a Sudoku: one file a family of techniques."""
