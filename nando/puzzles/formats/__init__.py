"""Formats in which programs keep puzzles: a file each, all listed in `registry`."""
