"""Exact search: count the solutions of a puzzle."""
