"""Constraint methods on Nurikabe."""
