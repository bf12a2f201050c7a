"""JSON schemas of what commands write, of the dialect 2020-12."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
