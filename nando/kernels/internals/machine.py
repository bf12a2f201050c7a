"""Loads machine code with llvmlite alone: importing numba takes ten times as long."""

import os
from functools import cache
from pathlib import Path
from typing import Any

_SETTINGS = "NUMBA_"
_HARMLESS = ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")
_kept: list[Any] = []  # code stays as long as what loaded it


def numba_has_settings() -> bool:
    """Whether numba is told to compile in another way, such as for another processor."""
    named = (name for name in os.environ if name.startswith(_SETTINGS))
    return not set(named) <= set(_HARMLESS) or Path(".numba_config.yaml").exists()


@cache
def this_processor() -> tuple[str, str, str]:
    """Triple, name and features, as `nando.kernels.internals.processor` has them from numba."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features


def load(code: bytes, name: str, symbols: list[str]) -> int | None:
    """Address of a function in an object file; None if a symbol that it needs is not there."""
    import llvmlite.binding as llvm

    _initialize()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    # What an engine cannot find ends the process; the process's own symbols are known from here on.
    if not all(llvm.address_of_symbol(symbol) for symbol in symbols):
        return None
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _kept.append(engine)
    return int(engine.get_function_address(name)) or None


@cache
def _initialize() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
