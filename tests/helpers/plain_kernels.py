"""Kernels run as plain Python, to be compared with what numba makes of them."""

import sys
from inspect import signature


def use_plain_kernels(monkeypatch, *modules):
    """Replace every kernel that these modules see by its plain-Python body."""
    n_replaced = 0
    for module in modules:
        for name, value in list(vars(module).items()):
            if hasattr(value, "py_func"):
                monkeypatch.setattr(module, name, value.py_func)
                n_replaced += 1
    assert n_replaced > 0


def use_plain_draws(monkeypatch, *modules):
    """Do so with the kernels that draw: a lean one takes no generator from Python."""
    n_replaced = 0
    for module in modules:
        for name, value in list(vars(module).items()):
            if hasattr(value, "py_func") and "rng" in signature(value.py_func).parameters:
                monkeypatch.setattr(module, name, value.py_func)
                n_replaced += 1
    assert n_replaced > 0


def use_plain_logic(monkeypatch):
    """The same for all loaded modules of the logic solver."""
    names = [name for name in sys.modules if name.startswith("nando.solvers.logic.")]
    use_plain_kernels(monkeypatch, *(sys.modules[name] for name in names))
