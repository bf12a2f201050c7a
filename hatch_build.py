"""Compiles nando's kernels into the wheel, so that the first command after installing need not.

NANDO_BUILD_KERNELS=0 leaves them out: the first run compiles them then. NANDO_BUILD_PROCESSOR makes
a wheel for other machines: "portable", or the name and the features of a processor as LLVM has
them, such as "x86-64-v3:+avx2,+bmi2".
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

TASKS = ("ladder", "search")
PORTABLE = (
    "x86-64-v3:+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sahf,"
    "+sse3,+sse4.1,+sse4.2,+ssse3,+xsave"
)
"""x86 since about 2015."""

MOST_SECONDS = 900


class CompiledKernels(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the folder `nando/compiled` to the wheel."""

    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile kernels, or say why they are left out."""
        if version == "editable" or os.environ.get("NANDO_BUILD_KERNELS") == "0":
            return
        self._folder = folder = Path(mkdtemp(prefix="nando-kernels-"))
        try:
            _compile(Path(self.root), folder)
        except Exception as error:
            self.app.display_warning(
                f"kernels were not compiled ({error}); the first run compiles them"
            )
            return
        build_data["force_include"][str(folder)] = "nando/compiled"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copies of the kernels, which are in the wheel now."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _compile(root: Path, folder: Path) -> None:
    environment = os.environ | {"NANDO_COLLECT_KERNELS": str(folder)}
    environment |= _processor(os.environ.get("NANDO_BUILD_PROCESSOR", ""))
    # Not through PYTHONPATH: pip drops a folder from it that is also installed as editable.
    program = f"import sys; sys.path.insert(0, {str(root)!r}); from nando import precompile; "
    started = [
        subprocess.Popen(
            [sys.executable, "-c", f"{program}precompile.main({[task]!r})"],
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for task in TASKS
    ]
    try:
        for process in started:
            said = process.communicate(timeout=MOST_SECONDS)[1]
            if process.returncode:
                raise RuntimeError(said.strip().splitlines()[-1] if said.strip() else "it crashed")
    finally:
        for process in started:
            process.kill()


def _processor(wanted: str) -> dict[str, str]:
    """Variables that name the processor to numba; none for this machine's."""
    if wanted == "portable":
        wanted = PORTABLE if platform.machine() in ("x86_64", "AMD64") else "generic:"
    if not wanted:
        return {}
    name, _, features = wanted.partition(":")
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
