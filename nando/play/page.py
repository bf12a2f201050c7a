"""The page: puzzles, texts, style and script in one HTML file that needs no network."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from nando.checks import one_of
from nando.drawing.pages import embedded, page
from nando.play.puzzle import PlayedPuzzle
from nando.solvers.logic.language import PAGE_LANGUAGES
from nando.tables import shipped_table

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
        If the modules import each other in a circle.
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


def play_html(
    puzzles: Sequence[PlayedPuzzle], *, title: str = "", language: str | None = None
) -> str:
    """Return a page on which puzzles are played.

    Parameters
    ----------
    puzzles : sequence of PlayedPuzzle
        In the order in which they are offered.
    title : str
        Title of the page; empty for the usual title in the language.
    language : str or None
        One of `PAGE_LANGUAGES`; None takes that of the browser. Players can choose another.

    Returns
    -------
    str
        Equal puzzles, titles and languages give equal pages.

    Raises
    ------
    ValueError
        If there are no puzzles, for an unknown language, and as :meth:`PlayedPuzzle.to_dict`.
    """
    from markupsafe import Markup

    if not puzzles:
        raise ValueError("a page needs at least one puzzle, got none")
    if language is not None:
        one_of("language", language, PAGE_LANGUAGES)
    table = words()
    title = title or table["play_title"][language or "en"]
    played = [puzzle.to_dict() for puzzle in puzzles]
    data = {
        "id": _identity(title, played),
        "language": language,
        "words": table,
        "puzzles": played,
    }
    return "".join(
        page(
            "nando.play",
            "web/play.html",
            title=title,
            language=language,
            languages=PAGE_LANGUAGES,
            noscript=table["noscript"][language or "en"],
            in_contest=False,
            has_likely=any(puzzle.likely is not None for puzzle in puzzles),
            style=Markup(source("play.css")),
            **embedded(script(), data),
        )
    )


@cache
def words() -> dict[str, dict[str, str]]:
    """Return the texts of the page: by name, then by language."""
    return shipped_table("nando.play", "words.toml")


def _identity(title: str, played: Sequence[dict[str, Any]]) -> str:
    """Return an id that separates the games of this page from others in the same browser."""
    identity = "\n".join([title, *(puzzle["text"] for puzzle in played)])
    return hashlib.sha256(identity.encode()).hexdigest()[:8]
