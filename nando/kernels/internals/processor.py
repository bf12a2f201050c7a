"""The processor that numba compiles for."""

from numba.core.registry import cpu_target


def processor() -> tuple[str, str, str]:
    """Its triple, its name and its features, as they are in the key of a compiled kernel."""
    triple, name, features = cpu_target.target_context.codegen().magic_tuple()
    return triple, name, features
