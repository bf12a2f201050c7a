"""Everything that relies on numba's private names, on llvmlite, or on how numba compiles.

Nothing outside this package imports such a name; a test checks that. `nando.kernels.support`
imports this package only after its check has passed.
"""
