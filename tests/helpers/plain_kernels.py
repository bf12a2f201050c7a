"""Run kernels as plain Python, to compare them with compiled ones."""

from contextlib import contextmanager
from unittest import mock

from numba import config

from nando.kernels.compile import Kernel


def compiled_and_plain(call, *modules):
    """Return what a call returns with compiled kernels, and with those of modules as plain Python.

    See :func:`compiled_kernels` and :func:`plain_kernels`.
    """
    with compiled_kernels():
        compiled = call()
    with plain_kernels(*modules):
        plain = call()
    return compiled, plain


@contextmanager
def compiled_kernels():
    """Assert that the block runs kernels, and that all it runs are compiled."""
    run = Kernel.__call__
    n_run = 0

    def noted(self, *arguments):
        nonlocal n_run
        result = run(self, *arguments)
        assert config.DISABLE_JIT or self.dispatcher.signatures, f"{self.__name__} is not compiled"
        n_run += 1
        return result

    with mock.patch.object(Kernel, "__call__", noted):
        yield
    assert n_run, "no kernel was run"


@contextmanager
def plain_kernels(*modules, drawing=False):
    """Run the kernels of modules as plain Python in the block, or all kernels.

    It does not matter where kernels were imported. Each of the modules must run at least one.

    Parameters
    ----------
    *modules : module
        Where the kernels are defined; other modules stay compiled. Default: all kernels run plain.
    drawing : bool
        Run only kernels that take a generator, because a lean kernel takes none from Python.
    """
    names = {module.__name__ for module in modules}
    run = Kernel.__call__
    were_plain = set()

    def plain(self, *arguments):
        chosen = not names or self.__module__ in names
        if not chosen or (drawing and "rng" not in self.py_func.__code__.co_varnames):
            return run(self, *arguments)
        were_plain.add(self.__module__)
        return self.py_func(*arguments)

    with mock.patch.object(Kernel, "__call__", plain):
        yield
    assert were_plain, "no kernel was run as plain Python"
    assert names <= were_plain, f"no kernel of {', '.join(names - were_plain)} was run"
