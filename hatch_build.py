"""Compiles nando's kernels into a wheel, if it is asked to.

A wheel from `pip install .` has none: the first command compiles what it needs. For a package
index, ``NANDO_BUILD_KERNELS=1`` compiles those of all commands, for this machine's processor or for
the one that NANDO_BUILD_PROCESSOR names: "portable", or the name and the features of a processor as
LLVM has them, such as "x86-64-v3:+avx2,+bmi2".
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PORTABLE = (
    "x86-64-v3:+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sahf,"
    "+sse3,+sse4.1,+sse4.2,+ssse3,+xsave"
)
"""x86 since about 2015."""


class CompiledKernels(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the folder `nando/compiled` to the wheel."""

    _folder: Path | None = None

    def dependencies(self) -> list[str]:
        """Return what the build needs besides hatchling: all of nando's dependencies, to run it."""
        return self.metadata.core.dependencies if _is_asked() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile kernels."""
        if version == "editable" or not _is_asked():
            return
        self._folder = folder = Path(mkdtemp(prefix="nando-kernels-"))
        _compile(Path(self.root), folder)
        build_data["force_include"][str(folder)] = "nando/compiled"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copies of the kernels, which are in the wheel now."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _is_asked() -> bool:
    return os.environ.get("NANDO_BUILD_KERNELS", "") not in ("", "0")


def _compile(root: Path, folder: Path) -> None:
    """Run every command once; each kernel that Python calls is copied to a folder."""
    environment = os.environ | {"NANDO_COLLECT_KERNELS": str(folder)}
    environment |= _processor(os.environ.get("NANDO_BUILD_PROCESSOR", ""))
    # Not through PYTHONPATH: pip drops a folder from it that is also installed as editable.
    program = f"import sys; sys.path.insert(0, {str(root)!r}); sys.argv = ['nando', 'warmup']; "
    if "NUMBA_CPU_NAME" in environment:
        program += "from nando.kernels.cache import note_processor; "
        program += "from nando.kernels.internals.storage import processor; "
        program += "note_processor(processor()); "
    program += "from nando.cli import main; main()"
    subprocess.run([sys.executable, "-c", program], env=environment, cwd=folder, check=True)


def _processor(name: str) -> dict[str, str]:
    """Variables that name the processor to numba; none for this machine's."""
    if name == "portable":
        name = PORTABLE if platform.machine() in ("x86_64", "AMD64") else "generic:"
    if not name:
        return {}
    name, _, features = name.partition(":")
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
