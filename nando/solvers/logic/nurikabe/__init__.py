"""Techniques for Nurikabe, one family a file."""
