"""The rules of variants of Sudoku, one idea a file; `registry.py` lists them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
