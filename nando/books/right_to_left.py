"""Lines with Hebrew or Arabic as they are drawn: from the left, Arabic letters joined.

Formats that draw glyph by glyph do not do this. Marks above and below letters stay where the
font puts them, and explicit directional characters are not known.
"""

from functools import cache
from itertools import groupby
from unicodedata import bidirectional, decomposition

DOT = " · "
"""What separates the parts of a line."""
_RIGHT = ("R", "AL")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def is_right_to_left(text: str) -> bool:
    """Return True if a line has letters that run from right to left."""
    return any(bidirectional(char) in _RIGHT for char in text)


def starts_right(text: str) -> bool:
    """Return True if the first letter of a line runs from right to left."""
    return next((k in _RIGHT for k in map(bidirectional, text) if k in (*_RIGHT, "L")), False)


@cache
def visual(text: str) -> str:
    r"""Return the characters of a line in the order in which they are drawn from the left.

    Examples
    --------
    >>> visual("Sudoku"), visual("\u05d0\u05d1 12 (\u05d2)")
    ('Sudoku', '(ג) 12 בא')
    """
    if not is_right_to_left(text):
        return text
    if DOT in text:  # each part by itself
        parts = list(map(visual, text.split(DOT)))
        return DOT.join(parts[::-1] if starts_right(text) else parts)
    text = _join_letters(text)
    levels = _levels(text)
    for level in (2, 1):
        order: list[int] = []
        for _, run in groupby(range(len(text)), key=lambda i: levels[i] >= level):
            places = list(run)
            order += places[::-1] if levels[places[0]] >= level else places
        text, levels = "".join(text[i] for i in order), [levels[i] for i in order]
    return "".join(
        char.translate(_MIRRORED) if level == 1 else char
        for char, level in zip(text, levels, strict=True)
    )


def _levels(text: str) -> list[int]:
    """Return the depth of each character: odd ones run from the right (Unicode annex 9, in short).

    Marks and spaces between characters of one direction have it, others that of the line.
    """
    kinds = [bidirectional(char) for char in text]
    base = "R" if starts_right(text) else "L"
    ways: list[str] = []
    last = base
    for kind in kinds:
        if kind in (*_RIGHT, "L"):
            last = "R" if kind in _RIGHT else "L"
        # N is a number among letters from right to left.
        number = "N" if last == "R" else "L"
        ways.append(last if kind in (*_RIGHT, "L") else number if kind in ("EN", "AN") else "")
    for i, (way, kind) in enumerate(zip(ways, kinds, strict=True)):
        if not way:
            before = next((x for x in ways[:i][::-1] if x), base)
            after = next((x for x in ways[i:] if x), base)
            if before != after or kind not in ("CS", "ES", "ET"):
                before, after = before.replace("N", "R"), after.replace("N", "R")
            ways[i] = before if before == after else base
    depth = {"L": 2 if base == "R" else 0, "R": 1, "N": 2}
    return [depth[way] for way in ways]


@cache
def _forms() -> dict[tuple[str, str], str]:
    """Return the presentation forms of Arabic letters, by letters and place in a word."""
    forms = {}
    for code in (*range(0xFE70, 0xFEFD), *range(0xFB50, 0xFBB2)):
        place, *letters = decomposition(chr(code)).split() or [""]
        if place in ("<isolated>", "<initial>", "<medial>", "<final>"):
            forms["".join(chr(int(letter, 16)) for letter in letters), place] = chr(code)
    return forms


def _join_letters(text: str) -> str:
    forms, joined, i = _forms(), "", 0
    is_joined = False
    while i < len(text):
        n = 2 if (text[i : i + 2], "<final>") in forms else 1  # lam and alef are one form
        letter = text[i : i + n]
        following = text[i + n : i + n + 1]
        goes_on = (letter, "<initial>") in forms and (following, "<final>") in forms
        is_joined = is_joined and (letter, "<final>") in forms
        place = ("<isolated>", "<initial>", "<final>", "<medial>")[2 * is_joined + goes_on]
        joined += forms.get((letter, place), letter)
        is_joined = goes_on
        i += n
    return joined
