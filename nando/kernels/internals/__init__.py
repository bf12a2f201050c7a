"""Everything that relies on numba's private names, on llvmlite, or on how numba compiles.

Nothing outside this package imports such a name; a test checks that. `nando.kernels.compile`
imports this package only with a version of numba that it was tested with.
"""
