"""Puzzles with one solution at a wanted difficulty.

A generator knows no rating: what a puzzle is worth comes as a callable.
"""

import lazy_loader

from nando.moved import moved

_PLACES = dict.fromkeys(("Book", "Section", "read_book", "sections_by_grade"), "nando.books")
"""What stood here before books had a package of their own."""

_find, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = moved(__name__, _PLACES, _find)
