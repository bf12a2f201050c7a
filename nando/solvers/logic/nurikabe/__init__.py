"""Techniques for Nurikabe, one family per file."""
