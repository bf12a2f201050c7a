"""How kernels are compiled and cached.

`compile` has the decorators that every kernel uses; `bits` and `lanes` extend what numba offers.
`internals` holds everything that relies on numba's private names. If these are missing or behave
differently, `fallback` compiles the same kernels with numba's documented decorator alone.
`support` decides between the two.
"""
