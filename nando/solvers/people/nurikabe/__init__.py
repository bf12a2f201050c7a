"""Simulated people on Nurikabe."""
