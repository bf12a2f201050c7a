"""The script of the page: modules that stand in ``web`` as files, joined when a page is written."""

import re
from functools import cache
from importlib.resources import files

START = "page.mjs"

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class|const|function|async)", re.MULTILINE)


def source(name: str) -> str:
    """Return the text of a file of the page."""
    return (files("nando.play") / "web" / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """Return one module: every file after those that it imports, without imports and exports.

    Names at the top of a file are unique among all files, so that none needs a scope.

    Raises
    ------
    ValueError
        Where the modules import each other in a circle.
    """
    parts: dict[str, str] = {}
    _join(START, parts, ())
    return "\n".join([*parts.values(), "play();\n"])


def _join(name: str, parts: dict[str, str], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"modules import each other: {' > '.join([*above, name])}")
    if name in parts:
        return
    text = source(name)
    for imported in _IMPORT.findall(text):
        _join(imported, parts, (*above, name))
    parts[name] = f"// {name}\n{_EXPORT.sub('', _IMPORT.sub('', text)).strip()}\n"
