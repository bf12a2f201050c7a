"""Compiled code: how kernels are made, kept on disk, and written.

`compile` has the decorators that every kernel of nando uses, `bits` and `lanes` what kernels need
beyond numba's own vocabulary. All that leans on numba's private names stands in `internals`; where
these are missing or behave differently, `fallback` compiles the same kernels with numba's
documented decorator alone. `support` decides which of the two it is.
"""
