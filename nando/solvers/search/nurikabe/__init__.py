"""Stochastic search on Nurikabe."""
