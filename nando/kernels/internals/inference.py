"""Infers the types of kernels, and remembers what operators, functions and attributes return.

numba tries up to thirty definitions of an operator for each `+` of a kernel, three times over.
Without this module, a first rating of a variant takes 5 % longer.
"""

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference

_known: Any = types  # its names are made at run time

_PLAIN = (_known.Number, _known.Boolean, _known.IntegerLiteral, _known.Array)
"""Types for which a function of numba always returns the same."""


class Remembering:
    """numba's typing context, which is asked each question once."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._answers: dict[tuple[Any, ...], Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        ask = self._context.resolve_function_type
        is_known = isinstance(func, _known.Function) and not kws
        if not is_known or not all(isinstance(kind, _PLAIN) for kind in args):
            return ask(func, args, kws)
        return self._answer(("call", func, *args), lambda: ask(func, args, kws))

    def resolve_getitem(self, target: Any, index: Any) -> Any:
        """Return the signature of a subscript."""
        if not isinstance(target, _known.Array):
            return self._context.resolve_getitem(target, index)
        what = target, index
        return self._answer(("get", *what), lambda: self._context.resolve_getitem(*what))

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """Return the signature of an assignment to an element."""
        what = target, index, value
        return self._answer(("set", *what), lambda: self._context.resolve_setitem(*what))

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        """Return the type of an attribute."""
        if not isinstance(typ, (_known.Array, _known.BaseNamedTuple)):
            return self._context.resolve_getattr(typ, attr)
        what = typ, attr
        return self._answer(("attribute", *what), lambda: self._context.resolve_getattr(*what))

    def _answer(self, question: tuple[Any, ...], ask: Callable[[], Any]) -> Any:
        if question not in self._answers:
            self._answers[question] = ask()
        return self._answers[question]


_contexts: dict[tuple[int, bool], Remembering] = {}


@register_pass(mutates_CFG=True, analysis_only=False)
class Inference(NopythonTypeInference):  # type: ignore[misc]
    """numba's pass that infers types, with a memory."""

    _name = "nando_inference"

    def run_pass(self, state: Any) -> bool:
        """Infer the types of a kernel."""
        context = state.typingctx
        # numba has one context, which lives as long as the process. What a lean kernel calls counts
        # no references either, so the other kernels get answers of their own.
        key = id(context), bool(state.flags.nrt)
        state.typingctx = _contexts.setdefault(key, Remembering(context))
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = context
