"""Puzzles with one solution at a wanted difficulty.

A generator knows no rating: it receives the score of a puzzle as a callable.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
