"""lz-string in base 64: how f-puzzles and SudokuPad pack a puzzle into a link.

The method is LZW on characters (https://pieroxy.net/blog/pages/lz-string/index.html). A few hundred
characters can expand to hundreds of megabytes, so unpacking is bounded. Python packages for
lz-string have no such bound. SudokuPad shortens the names in its JSON before it packs it.
"""

import json
import re
from itertools import pairwise

from nando.puzzles.formats.base import unreadable

MOST_UNPACKED = 1 << 20
"""Most characters that a link may unpack to; a puzzle with all drawings has some ten thousand."""

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BITS = {symbol: f"{i:06b}" for i, symbol in enumerate(_ALPHABET)}
# Substitutes that programs and browsers write for + and /.
_BITS |= {" ": _BITS["+"], "-": _BITS["+"], "_": _BITS["/"]}
_CHARACTER, _WIDE_CHARACTER, _END = 0, 1, 2
"""Codes of a new character of 8 bits, one of 16 bits, and the end; words have the codes above."""


def unpack(payload: str) -> str:
    """Return the text in a payload; PuzzleError if it is damaged or too large."""
    payload = payload.rstrip("=")
    strange = next((symbol for symbol in payload if symbol not in _BITS), None)
    if strange is not None:
        raise unreadable(f"{strange!r} in the packed part of the link; copy the whole link")
    bits = "".join(_BITS[symbol] for symbol in payload)
    position = 0

    def take(n_bits: int) -> int:
        """Return the next number, lowest bit first."""
        nonlocal position
        position += n_bits
        if position > len(bits):
            raise unreadable("the packed part of the link ends too soon; copy the whole link")
        return int(bits[position - n_bits : position][::-1], 2)

    words = [""] * 3
    last = ""
    unpacked: list[str] = []
    length = 0
    while (code := take(len(words).bit_length())) != _END:
        if code in (_CHARACTER, _WIDE_CHARACTER):
            words.append(chr(take(8 if code == _CHARACTER else 16)))
            code = len(words) - 1
        if code > len(words) or (code == len(words) and not last):
            raise unreadable("the packed part of the link is damaged; copy the whole link")
        word = words[code] if code < len(words) else last + last[0]
        length += len(word)
        if length > MOST_UNPACKED:
            raise unreadable(f"the link unpacks to more than {MOST_UNPACKED:,} characters")
        unpacked.append(word)
        if last:
            words.append(last + word[0])
        last = word
    # Characters are those of JavaScript: UTF-16, with surrogate pairs.
    halves = "".join(unpacked).encode("utf-16-le", "surrogatepass")
    return halves.decode("utf-16-le", "replace")


def pack(text: str) -> str:
    """Return the payload of a text of 8-bit characters."""
    codes: dict[str, int] = {}
    new: set[str] = set()
    bits: list[str] = []
    n_words = _END + 1  # of the reader, who learns words as it unpacks

    def put(number: int, n_bits: int) -> None:
        bits.append(f"{number:0{n_bits}b}"[::-1])

    def put_word(word: str) -> None:
        nonlocal n_words
        first = not bits
        n_bits = n_words.bit_length()
        if word in new:
            new.discard(word)
            put(_CHARACTER, n_bits)
            put(ord(word), 8)
            n_words += 1
        else:
            put(codes[word], n_bits)
        n_words += not first

    word = ""
    for character in text:
        if character not in codes:
            codes[character] = len(codes) + _END + 1
            new.add(character)
        if word + character in codes:
            word += character
            continue
        put_word(word)
        codes[word + character] = len(codes) + _END + 1
        word = character
    if word:
        put_word(word)
    put(_END, n_words.bit_length())
    stream = "".join(bits)
    stream += "0" * (6 - len(stream) % 6)
    symbols = [_ALPHABET[int(stream[i : i + 6], 2)] for i in range(0, len(stream), 6)]
    return "".join(symbols) + "=" * (-len(symbols) % 4)


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


def unzip(text: str) -> str:
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
