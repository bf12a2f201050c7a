"""Puzzles: their rules, reading and writing. This package imports no solver and no rating."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
