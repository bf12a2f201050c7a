"""Evaluation: how well times and orders are predicted, and how far an audit can be trusted."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
