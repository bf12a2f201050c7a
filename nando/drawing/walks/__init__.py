"""Walks through the solution of a puzzle: printed, drawn on a sheet, or stepped through."""
