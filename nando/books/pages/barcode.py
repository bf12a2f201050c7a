"""The bars of an ISBN: EAN-13, as shops scan it."""

from nando.books.trim import MM
from nando.drawing.shapes import Picture, Rect, Shape, Text

MODULE = 0.33 * MM
"""Width of the thinnest bar in points."""
QUIET, _QUIET_RIGHT = 11, 7
"""Free modules before and after the bars."""

_LEFT = [f"{code:07b}" for code in (13, 25, 19, 61, 35, 49, 47, 59, 55, 11)]
"""Modules of the digits in the left half; a bar is 1."""
_PARITY = [
    "LLLLLL",
    "LLGLGG",
    "LLGGLG",
    "LLGGGL",
    "LGLLGG",
    "LGGLLG",
    "LGGGLL",
    "LGLGLG",
    "LGLGGL",
    "LGGLGL",
]
"""The forms of the next six digits, which code the first digit; it has no bars of its own."""
_HEIGHT, _GUARD, _DIGIT = 62.0, 66.0, 9.5
"""Height of the bars and of those at the ends and in the middle, and type, in modules."""
_INK, _HEAD = "#000000", 10.0


def modules(digits: str) -> str:
    """Return the 95 modules of the thirteen digits of an EAN.

    Examples
    --------
    >>> modules("9783161484100")[:24]
    '101011101100010010100001'
    """
    right = [code.translate({48: "1", 49: "0"}) for code in _LEFT]
    forms = {"L": _LEFT, "G": [code[::-1] for code in right]}
    first = "".join(
        forms[form][int(digit)]
        for form, digit in zip(_PARITY[int(digits[0])], digits[1:7], strict=True)
    )
    second = "".join(right[int(digit)] for digit in digits[7:])
    return f"101{first}01010{second}101"


def barcode(isbn: str) -> Picture:
    """Draw the bars of an ISBN with its quiet zones, its digits below and the ISBN above.

    A unit of the picture is a module.
    """
    digits = isbn.replace("-", "").replace(" ", "")
    shapes: list[Shape] = []
    for i, module in enumerate(modules(digits)):
        if module == "1":
            is_guard = i < 3 or 45 <= i < 50 or i >= 92
            height = _GUARD if is_guard else _HEIGHT
            shapes.append(Rect(QUIET + i, _HEAD, 1, height, _INK))
    middle = _HEAD + _HEIGHT + 0.62 * _DIGIT
    shapes.append(Text(QUIET - 6, middle, digits[0], _DIGIT, _INK))
    for i, digit in enumerate(digits[1:]):
        x = QUIET + (3 if i < 6 else 8) + 7 * i + 3.5
        shapes.append(Text(x, middle, digit, _DIGIT, _INK))
    shapes.append(Text(QUIET + 47.5, 0.4 * _HEAD, f"ISBN {isbn}", 0.85 * _DIGIT, _INK))
    return Picture(QUIET + 95 + _QUIET_RIGHT, _HEAD + _HEIGHT + 1.2 * _DIGIT, tuple(shapes))
