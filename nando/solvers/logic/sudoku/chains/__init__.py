"""Techniques that follow what an assumption implies."""
