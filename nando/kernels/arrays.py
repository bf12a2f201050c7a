"""Copies from array to array, for kernels.

Element by element: for a few hundred bytes that is far faster than assigning a slice, whose error
message would have numba compile its string formatting.
"""

from nando.kernels.compile import inlined_kernel


@inlined_kernel
def copy_values(target, source):
    """Make a row equal to another of the same length."""
    for i in range(source.size):
        target[i] = source[i]


@inlined_kernel
def copy_rows(target, source):
    """Make a table equal to another of the same shape."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]
