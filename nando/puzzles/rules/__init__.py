"""The rules of variants of Sudoku, one idea a file; `registry.py` lists them."""
