"""Compiled code: how kernels are made, kept on disk, and written.

`compile` has the decorators that every kernel of nando uses, `bits` and `lanes` what kernels need
beyond numba's own vocabulary. All that leans on numba's private names stands in `internals`.
"""
