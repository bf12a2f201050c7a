"""Formats of puzzles, one per module, all listed in `registry`."""
