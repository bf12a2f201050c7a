"""Lets numba compare its flags quickly.

For every call in a kernel numba looks up, among all functions of that name, what it has compiled
with the same flags. All flags have the same hash, so it compares dozens of them each time, and
reads two dozen properties of both: a twentieth of the time of compiling.
"""

from typing import Any

from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig


def compare_flags_quickly() -> None:
    """Read the values of flags without a property for each, if they remain the same."""
    if TargetConfig.values is not _values and _values(Flags()) == Flags().values():
        TargetConfig.values = _values


def _values(flags: Any) -> dict[str, Any]:
    known = flags._values
    return {name: known.get(name, option.default) for name, option in flags.options.items()}
