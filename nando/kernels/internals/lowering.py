"""Translates kernels to LLVM's language, without what LLVM would only have to remove.

The state of a solver is a named tuple of up to fifty arrays, each of them seven words. If several
blocks of a kernel use such a variable, numba keeps it in memory, reads all of it for each use,
and clears it after the last use. Most of what LLVM had to read was this. Here a variable that is
assigned once stays a value, a part that was put into a value is not taken out again, and a part of
a value from memory is read alone. LLVM makes the same machine code. Without this module and
`states`, a first 9x9 is rated in a third more time, and a first Nurikabe in three quarters more.

A variable that is wrongly kept as a value would miscompile kernels. These tests would notice:
`tests/kernels/test_shorter_code.py`, and all that compare compiled kernels with plain Python.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from llvmlite.ir import IRBuilder, instructions
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from nando.kernels.internals.states import Loaded, mark_addresses, part_of


class _Builder(IRBuilder):  # type: ignore[misc]
    """llvmlite's builder, which takes nothing out of a value that it has just put in."""

    def extract_value(self, agg: Any, idx: int | Sequence[int], name: str = "") -> Any:
        """Return a part of a value."""
        left = [idx] if isinstance(idx, int) else list(idx)
        if isinstance(agg, Loaded):
            return part_of(self, agg, left)
        while left and (part := _part(agg, left[0])) is not None:
            agg = part
            del left[0]
        return super().extract_value(agg, left, name) if left else agg


def _part(value: Any, index: int) -> Any:
    """Return the part last inserted into a value at an index, or None if it is not known."""
    while isinstance(value, instructions.InsertValue):
        if value.indices[0] == index:
            return value.value if len(value.indices) == 1 else None
        value = value.aggregate
    return None


class _Lower(Lower):  # type: ignore[misc]
    """numba's translator of one kernel."""

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)
        self.builder.__class__ = _Builder

    def lower_normal_function(self, fndesc: Any) -> None:
        super().lower_normal_function(fndesc)
        mark_addresses(self.module)

    def _find_singly_assigned_variable(self) -> None:
        """Find the variables that need no memory."""
        if self.context.enable_nrt:  # numba frees at the end of a block what memory holds
            super()._find_singly_assigned_variable()
            return
        self._singly_assigned_vars = set(_assigned_once(self.func_ir.blocks))
        self._blk_local_varmap: dict[str, Any] = {}

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Store a value, without reading the value before it, which a lean kernel need not free."""
        if self.context.enable_nrt or name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
        else:
            self._alloca_var(name, self.typeof(name))  # numba 0.58 has not done so yet
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Free a variable, unless the kernel is lean and has nothing to free."""
        if self.context.enable_nrt:
            super().delvar(name)


def _assigned_once(blocks: dict[int, Any]) -> Iterator[str]:
    """Yield the variables that are assigned once, before every use."""
    homes: dict[str, list[int]] = defaultdict(list)
    for number, block in blocks.items():
        for assignment in block.find_insts(ir.Assign):
            homes[assignment.target.name].append(number)
    used_in = defaultdict(list)  # blocks that use a variable, which they have not assigned before
    for number, names in compute_use_defs(blocks).usemap.items():
        for name in names:
            used_in[name].append(number)
    dominators = compute_cfg_from_blocks(blocks).dominators()
    for name, (home, *others) in homes.items():
        # Blocks are translated in the order of their numbers.
        if not others and all(
            home < number and home in dominators.get(number, ()) for number in used_in[name]
        ):
            yield name


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):  # type: ignore[misc]
    """numba's pass that translates a kernel, with the translator above."""

    _name = "nando_lowering"

    @property
    def lowering_class(self) -> Any:
        """The translator."""
        return _Lower
