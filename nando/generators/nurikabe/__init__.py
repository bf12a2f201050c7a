"""Nurikabe puzzles in the making."""
