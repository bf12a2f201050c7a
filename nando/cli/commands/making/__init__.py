"""Commands that make puzzles and books of them."""
