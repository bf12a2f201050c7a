"""Games: move logs, fill orders, and the audit that tells a person from a program."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
