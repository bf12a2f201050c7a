"""Pages with a script: texts, style, data and script in one HTML file that needs no network.

On one, puzzles are played. The other steps through walks: it has each shape of their pictures once,
and for each step the shapes that it adds and drops.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from nando.checks import one_of
from nando.drawing.boards import legend
from nando.drawing.pages import embed, page
from nando.drawing.plain import layer_of, plain
from nando.drawing.walks import Section, page_words
from nando.play.puzzle import PlayedPuzzle
from nando.solvers.logic.language import PAGE_LANGUAGES
from nando.tables import load_table

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class|const|function|async)", re.MULTILINE)


def source(name: str) -> str:
    """Return the text of a file of the page."""
    return (files("nando.play") / "web" / name).read_text(encoding="utf-8")


@cache
def script(start: str = "page.mjs") -> str:
    """Return one module: every file after those that it imports, without imports and exports.

    Names at the top of a file are unique among all files, so that none needs a scope.

    Raises
    ------
    ValueError
        If the modules import each other in a circle.
    """
    parts: dict[str, str] = {}
    _join(start, parts, ())
    return "\n".join(parts.values())


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
            **embed(f"{script()}\nplay();\n", data),
        )
    )


@cache
def words() -> dict[str, dict[str, str]]:
    """Return the texts of the page: by name, then by language."""
    return load_table("nando.play", "words.toml")


def _identity(title: str, played: Sequence[dict[str, Any]]) -> str:
    """Return an id that separates the games of this page from others in the same browser."""
    identity = "\n".join([title, *(puzzle["text"] for puzzle in played)])
    return hashlib.sha256(identity.encode()).hexdigest()[:8]


def write_stepped(
    title: str, kind: str, sections: Sequence[Section], language: str = "en"
) -> Iterator[str]:
    """Return the parts of a page on which walks are stepped through, in order."""
    words = page_words(language)
    return page(
        "nando.play",
        "web/stepped.html",
        title=title,
        language=language,
        say=words,
        legend=legend(kind, words),
        sections=sections,
        **embed(script("stepped.mjs"), walk_data(sections)),
    )


def walk_data(sections: Sequence[Section]) -> dict[str, Any]:
    """Return the pictures of all steps: each shape with its layer, and the changes of each step.

    Returns
    -------
    dict
        ``shapes``, each its layer and its plain form; and ``walks``, for each section its width and
        height and, for each panel, the numbers of the shapes that it adds to the picture before it
        and of those that it drops, each as its distance from the number before.
    """
    numbers: dict[str, int] = {}
    walks = []
    for section in sections:
        before: set[int] = set()
        panels = []
        for panel in section.panels:
            drawn = (json.dumps([layer_of(s), *plain(s)]) for s in panel.picture.shapes)
            shown = {numbers.setdefault(text, len(numbers)) for text in drawn}
            panels.append([_steps(shown - before), _steps(before - shown)])
            before = shown
        first = section.panels[0].picture
        walks.append({"size": [first.width, first.height], "panels": panels})
    return {"shapes": [json.loads(text) for text in numbers], "walks": walks}


def _steps(numbers: set[int]) -> list[int]:
    ordered = sorted(numbers)
    return [number - before for before, number in pairwise([0, *ordered])]
