"""Expand the shortened JSON of SudokuPad's links.

This JSON has single quotes and bare keys. ``t`` and ``f`` are true and false, empty objects between
commas are omitted, colours have no quotes, and frequent keys are abbreviated.
"""

import json
import re
from itertools import pairwise

_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*+'?|[{}\[\],:]|[^\s{}\[\],:']+", re.DOTALL)
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_WORDS = {"t": "true", "f": "false", "null": "null", "true": "true", "false": "false"}
_KEYS = {
    "a": "arrows",
    "c": "color",
    "c1": "borderColor",
    "c2": "backgroundColor",
    "ca": "cages",
    "ce": "cells",
    "cs": "cellSize",
    "ct": "center",
    "fs": "fontSize",
    "h": "height",
    "hl": "headLength",
    "l": "lines",
    "o": "overlays",
    "r": "rounded",
    "re": "regions",
    "t": "title",
    "te": "text",
    "th": "thickness",
    "u": "underlays",
    "v": "value",
    "vd": "videos",
    "w": "width",
    "wp": "wayPoints",
}
"""Abbreviations of the keys that a puzzle needs."""


def unzipped(text: str) -> str:
    """Return the JSON of a shortened text; invalid JSON for any other text."""
    tokens = [*_TOKEN.findall(text), ""]
    pieces: list[str] = []
    opened: list[str] = []
    for token, after in pairwise(tokens):
        before = pieces[-1] if pieces else ""
        if token in ",]" and before in ("[", ",") and opened[-1:] == ["["]:
            pieces.append("{}")
        if token in ("{", "["):
            opened.append(token)
        elif token in ("}", "]"):
            opened = opened[:-1]
        pieces.append(_piece(token, is_key=after == ":"))
    return "".join(pieces)


def _piece(token: str, *, is_key: bool) -> str:
    if token in "{}[],:":
        return token
    quoted = token.startswith("'")
    if quoted:
        token = token[1:].removesuffix("'").replace("\\'", "'")
    if is_key:
        return json.dumps(_KEYS.get(token, token))
    if not quoted and token in _WORDS:
        return _WORDS[token]
    return token if not quoted and _NUMBER.fullmatch(token) else json.dumps(token)
