"""Formats of puzzles, one per file, all listed in `registry`."""
