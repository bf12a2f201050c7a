"""JSON schemas of what commands write, of the dialect 2020-12.

Each has the name of the command or file that it describes, and follows from a class.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
