"""How other programs write the rules of variants of Sudoku."""
