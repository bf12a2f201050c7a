"""Rating: regressions that turn the features of a puzzle into human seconds."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
