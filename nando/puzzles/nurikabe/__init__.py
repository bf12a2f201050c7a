"""Nurikabe on any rectangle."""
