"""Stochastic search: methods that may fail."""
