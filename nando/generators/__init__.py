"""Puzzles with one solution at a wanted difficulty.

A generator knows no rating: it receives the score of a puzzle as a callable.
"""

import lazy_loader

from nando.moved import moved

_PLACES = dict.fromkeys(("Book", "Section", "read_book", "sections_by_grade"), "nando.books") | {
    "Draft": "nando.generators:CandidatePuzzle",
    "SudokuDraft": "nando.generators:SudokuCandidate",
    "NurikabeDraft": "nando.generators:NurikabeCandidate",
}
"""Old names: books have a package of their own, and drafts are called candidates."""

_find, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = moved(__name__, _PLACES, _find)
