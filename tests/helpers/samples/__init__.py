"""Puzzles, walks, games and books that tests share."""
