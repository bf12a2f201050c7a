"""Simulated people: how long they look, what they fill next."""
