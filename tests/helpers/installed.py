"""A copy of nando's kernels as a small package, with a folder for compiled ones."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nando

PACKAGE = Path(nando.__file__).parent
COUNT = """
from numba.core.event import Event, Listener, register

class Count(Listener):
    names = []
    def on_start(self, event):
        body = event.data["dispatcher"].py_func
        if body.__module__.startswith(("nando.puzzles", "tiny")):
            Count.names.append(body.__name__)
    def on_end(self, event):
        pass

register("numba:compile", Count())
"""
"""A program that notes the names of the kernels of a test that are compiled from then on."""


class Installed:
    """A copy of the package in a folder, with modules of a test.

    Parameters
    ----------
    folder : path
        Folder of the copy.
    modules : dict of str to str
        Text of each module to add to `nando.puzzles`, by name.
    """

    def __init__(self, folder, modules):
        self.folder = folder
        self.package = folder / "nando"
        shutil.copytree(
            PACKAGE / "kernels",
            self.package / "kernels",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        shutil.copyfile(PACKAGE / "writing.py", self.package / "writing.py")
        (self.package / "__init__.py").touch()
        (self.package / "puzzles").mkdir()
        for name, text in {"__init__": "", **modules}.items():
            (self.package / "puzzles" / f"{name}.py").write_text(text)

    def start(self, program, cache="cache", **more):
        """Start a program; kernels that it compiles are cached in a folder."""
        return subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=self.folder,
            env={name: value for name, value in os.environ.items() if "NUMBA" not in name}
            | {
                "PYTHONPATH": os.pathsep.join([str(self.folder), *filter(None, sys.path)]),
                "NUMBA_CACHE_DIR": str(self.folder / cache),
                "XDG_CACHE_HOME": str(self.folder / f"{cache}-of-user"),
                "NANDO_FALLBACK_KERNELS": "0",
                # Python itself would not see a change of the same age and size.
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            | more,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, program, cache="cache", **more):
        """Return the numbers that a program prints, and what it says on standard error."""
        return self.wait(self.start(program, cache, **more))

    @staticmethod
    def wait(process):
        out, said = process.communicate()
        assert process.returncode == 0, said
        return tuple(map(int, out.split())), said

    def ship(self, program, **more):
        """Compile what a program calls into the package, as the build of a wheel does."""
        folder = self.package / "compiled"
        folder.mkdir()
        self.run(program, "build", NANDO_COLLECT_KERNELS=str(folder), **more)
        return folder
