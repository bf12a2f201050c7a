"""The rules of variants of Sudoku, with one idea per file; `registry.py` lists them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
