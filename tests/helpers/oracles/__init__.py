"""Slow and obvious oracles of what nando computes."""
