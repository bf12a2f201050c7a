"""Everything that leans on numba's private names, on llvmlite, or on numba's way of compiling.

Nothing outside this package imports such a name (a test checks it), and nothing imports this
package before `nando.kernels.support` has found that it works.
"""
