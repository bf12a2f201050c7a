"""Exact search for Nurikabe."""
