"""A hash of the code and data that compute the columns.

It covers the modules that the features import, directly or not, and the data files that those
modules name. Docstrings, comments, blank lines and the rest of nando do not affect it.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from nando.features.groups import find_groups

_NANDO = Path(__file__).resolve().parent.parent

_DRAWING = ("nando.features.extractor",)
"""Modules that choose the class members and random numbers of every feature."""

_NOT_FOLLOWED = (
    "nando.features.groups",  # names all groups; the relevant ones are listed separately
    "nando.puzzles.formats",
    "nando.puzzles.inputs",
    "nando.puzzles.lines",
    "nando.puzzles.reading",
    "nando.puzzles.standing",
    "nando.solvers.logic.wording",
)
"""Modules and packages that read or write text, and compute no columns although solvers import
them."""

_TOKEN = re.compile(
    r'[rR]?"""[^"\\]*(?:(?:\\.|""?(?!"))[^"\\]*)*"""'
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
    r"|#[^\n]*",
    re.DOTALL,
)
"""A string, or a comment."""
_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?: [^\n]*\n)+", re.MULTILINE)
_IMPORT = re.compile(r"^ *from (nando[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_PLACE = re.compile(r'(?:(\w+)=place\(\s*)?"(nando\.[\w.]+)(?::[\w.]+)?"')
"""The name of a module as a string, and the field of a record that names it, if any."""
_FIELD = re.compile(r'[."](\w+)')
"""A possible name of a field that is read as an attribute or by `getattr`."""
_EXPORT = re.compile(r"^from \.([\w.]+) import (?:\w+ as )?(\w+)", re.MULTILINE)
_FILE_NAME = re.compile(r'"([\w-]+\.\w+)"')


@cache
def columns_digest(groups: Sequence[str], root: Path = _NANDO) -> str:
    """Return a hash of the code and data that compute the columns of feature groups.

    Parameters
    ----------
    groups : tuple of str
        Names of :data:`nando.features.GROUPS`.
    root : Path
        Folder of the package.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    return digest(_computing(groups), root)


@cache
def ratings_digest(groups: Sequence[str], rater: str, root: Path = _NANDO) -> str:
    """Return a hash of the code and data that compute ratings, including the module `rater`."""
    return digest([*_computing(groups), rater], root)


def _computing(groups: Iterable[str]) -> list[str]:
    """Return the modules that compute the columns of feature groups."""
    return [*_DRAWING, *(group.rows.__module__ for group in find_groups(groups))]


def digest(modules: Iterable[str], root: Path = _NANDO) -> str:
    """Return a hash of modules, of everything they import, and of the data files they name."""
    sources = Sources(root)
    digested = hashlib.sha256()
    for module in sorted(sources.reached(modules)):
        digested.update(f"\n{module}\n{sources.code(module)}".encode())
        for path in sources.data_files(module):
            digested.update(f"\n{path.name}\n".encode() + path.read_bytes())
    return digested.hexdigest()[:16]


class Sources:
    """The source of nando, as text.

    Parameters
    ----------
    root : Path
        Folder of the package.
    """

    def __init__(self, root: Path = _NANDO) -> None:
        self._modules: dict[str, str] = {}
        self._stubs: dict[str, str] = {}
        self._data: dict[str, list[str]] = {}
        self._codes: dict[str, str] = {}
        self._exported: dict[str, dict[str, str]] = {}
        for folder, _, names in os.walk(root):
            package = ".".join(("nando", *Path(folder).relative_to(root).parts))
            for name in names:
                stem, suffix = os.path.splitext(name)
                module = package if stem == "__init__" else f"{package}.{stem}"
                path = os.path.join(folder, name)
                if suffix == ".py":
                    self._modules[module] = path
                elif suffix == ".pyi":
                    self._stubs[module] = path
                elif suffix != ".pyc":
                    self._data.setdefault(name, []).append(path)

    def reached(self, modules: Iterable[str]) -> set[str]:
        """Return the modules and all modules of nando that they import, directly or not.

        Imports inside functions count; imports for type checkers alone do not. A module that a
        lazy record names in a field counts if an importer of the record's module reads that field.
        """
        reached: set[str] = set()
        read: set[tuple[str, str]] = set()
        places: set[tuple[str, str, str]] = set()
        left = {*modules}
        while left:
            following: set[str] = set()
            for module in left:
                imported = self._imported_by(module)
                fields = _FIELD.findall(self.code(module))
                read |= {(other, field) for other in imported for field in fields}
                read.add((module, ""))
                places |= {(module, field, named) for field, named in self._places_in(module)}
                following |= imported
            reached |= left
            following |= {named for table, field, named in places if (table, field) in read}
            left = {
                module for module in following if not _is_below(module, _NOT_FOLLOWED)
            } - reached
        return reached

    def code(self, module: str) -> str:
        """Return the source of a module as :func:`bare` returns it, "" for one without a file."""
        if module not in self._codes:
            path = self._modules.get(module) or getattr(sys.modules.get(module), "__file__", None)
            self._codes[module] = bare(Path(path).read_text(encoding="utf-8")) if path else ""
        return self._codes[module]

    def data_files(self, module: str) -> list[Path]:
        """Return the data files of nando that a module names, sorted."""
        names = sorted(set(_FILE_NAME.findall(self.code(module))))
        return [Path(path) for name in names for path in sorted(self._data.get(name, ()))]

    def _places_in(self, module: str) -> set[tuple[str, str]]:
        places = _PLACE.findall(self.code(module))
        return {(field, named) for field, named in places if named in self._modules}

    def _imported_by(self, module: str) -> set[str]:
        imported: set[str] = set()
        for package, names in _IMPORT.findall(self.code(module)):
            exports = self._exports(package)
            for name in re.findall(r"\w+", names):
                inside = f"{package}.{name}"
                default = inside if inside in self._modules else package
                imported.add(exports.get(name, default))
                if inside in self._stubs:  # a package whose exports are read as attributes
                    read = set(re.findall(rf"\b{name}\.(\w+)", self.code(module)))
                    imported |= {
                        module_of
                        for export, module_of in self._exports(inside).items()
                        if export in read
                    }
        return imported

    def _exports(self, package: str) -> dict[str, str]:
        """Return the module of each name that a package exports."""
        if package not in self._exported:
            path = self._stubs.get(package)
            stub = "" if path is None else Path(path).read_text(encoding="utf-8")
            names = {name: f"{package}.{module}" for module, name in _EXPORT.findall(stub)}
            self._exported[package] = names
        return self._exported[package]


def bare(source: str) -> str:
    """Return source code without docstrings, comments, blank lines and imports for types."""
    lines = _TOKEN.sub(_kept, source).splitlines()
    code = "\n".join(filter(None, map(str.rstrip, lines))) + "\n"
    return _FOR_TYPES.sub("", code)


def _kept(token: re.Match[str]) -> str:
    """Return "" for a comment or a string that is a whole statement, otherwise the string."""
    text, source = token[0], token.string
    if text[0] == "#":
        return ""
    if text.endswith('"""'):
        before = source[source.rfind("\n", 0, token.start()) + 1 : token.start()]
        after = source[token.end() : source.find("\n", token.end())]
        if not before.strip() and not after.strip():
            return ""
    return text


def _is_below(module: str, packages: Iterable[str]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)
