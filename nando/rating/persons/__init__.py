"""Persons: how fast a player is, and how long a puzzle will take this one."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
