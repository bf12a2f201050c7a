"""What each part of `nando/kernels/internals` gains: a first `nando rate` without it.

Copies the package, changes the lines that use a part, and runs a command with nothing compiled.
Processor seconds are those of all processes; the fastest of several runs counts.

Run: python benchmarks/internals.py [--runs N] [--command "rate examples/puzzles.txt"] [PART ...]
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DISPATCHERS, LIBRARIES, GARBAGE, CLAIMS = (
    f"nando/kernels/internals/{name}.py"
    for name in ("dispatchers", "libraries", "garbage", "claims")
)
PRECOMPILE = "nando/precompile.py"
SUPPORT = "nando/kernels/support.py"


class Change(NamedTuple):
    """Lines of a file, and what stands in for them."""

    file: str
    old: str
    new: str


_UNCHECKED = Change(SUPPORT, "            import_module(_CHECK).check()\n", "")
"""The self-check would refuse some of the changes."""

PARTS = {
    "everything": (),
    "inference.py": (
        Change(
            DISPATCHERS,
            "_PASSES = {NopythonTypeInference: Inference, NativeLowering: Lowering}",
            "_PASSES = {NativeLowering: Lowering}",
        ),
    ),
    "passes left out": (
        Change(DISPATCHERS, "_UNUSED = (InlineClosureLikes, NopythonRewrites)", "_UNUSED = ()"),
    ),
    "flags": (Change(DISPATCHERS, "(*first, _Flags(flags), local", "(*first, flags, local"),),
    "level 1": (Change(LIBRARIES, "_LEVEL = 1", "_LEVEL = 3"),),
    "fewer runs of LLVM": (
        Change(LIBRARIES, "class CountedLibrary(", "class _Unused("),
        Change(
            LIBRARIES, "class LeanLibrary(", "CountedLibrary = JITCodeLibrary\n\n\nclass _Lean("
        ),
        Change(LIBRARIES, "(LeanLibrary, SeparateLibrary)", "(SeparateLibrary)"),
        Change(DISPATCHERS, "    LeanLibrary,\n", ""),
        Change(DISPATCHERS, "library_class = LeanLibrary", "library_class = CountedLibrary"),
    ),
    "states.py": (Change(DISPATCHERS, "return by_address(argument)", "return argument"),),
    "separate": (
        Change(
            DISPATCHERS, 'SeparateKernel if options.pop("separate", False) else Kernel', "Kernel"
        ),
        Change(
            DISPATCHERS,
            "    kernel = kind(",
            '    options.pop("separate", None)\n    kernel = kind(',
        ),
    ),
    "claims.py": (Change(CLAIMS, "    latest = time.monotonic() + _PATIENCE\n", "    return\n"),),
    "garbage.py": (
        Change(GARBAGE, "    gc.disable()\n", ""),
        Change(PRECOMPILE, "    gc.disable()\n", ""),
        Change(PRECOMPILE, "    os._exit(0)\n", ""),
    ),
}
"""Changes that leave out a part, by its name."""


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--command", default="rate examples/puzzles.txt")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}")
    options = parser.parse_args()
    print("| without | seconds | processor seconds |\n| --- | ---: | ---: |")
    for part in options.parts or PARTS:
        seconds, used = min(_first_use(options.command, PARTS[part]) for _ in range(options.runs))
        print(f"| {part} | {seconds:.1f} | {used:.1f} |", flush=True)


def _first_use(command: str, changes: tuple[Change, ...]) -> tuple[float, float]:
    """Run a command by a changed copy; return seconds and processor seconds."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for part in ("nando", "examples"):
            shutil.copytree(ROOT / part, work / part)
        for change in (_UNCHECKED, *changes):
            text = (work / change.file).read_text()
            if change.old not in text:
                raise SystemExit(f"{change.file} no longer has: {change.old}")
            (work / change.file).write_text(text.replace(change.old, change.new))
        kernels = str(work / "kernels")
        variables = {"PYTHONPATH": folder, "NUMBA_CACHE_DIR": kernels, "XDG_CACHE_HOME": kernels}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        rated = subprocess.run(
            [sys.executable, "-m", "nando", *command.split()],
            cwd=work,
            env=os.environ | variables,
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if rated.returncode or "cannot use" in rated.stderr:
            raise SystemExit(rated.stderr)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
