"""Samples of every rule of the variants of Sudoku, and two puzzles with one solution."""

from pathlib import Path

from nando.puzzles import Variant

KILLER = Variant(
    "4x4+killer:r1c1r1c2r2c1:9+killer:r1c3r2c3r3c3:8+killer:r1c4r2c4:3+killer:r2c2r3c2r4c2:7"
    "+killer:r3c1r4c1:4+killer:r3c4r4c3r4c4:9"
)
MIXED = Variant("...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4")

LINES = [
    line.split()
    for line in Path(__file__).with_name("variants.txt").read_text(encoding="utf-8").splitlines()
    if line[0] != "#"
]
TEXTS = [text for text, *_ in LINES]
"""A sample of every rule, or several."""
IMPOSSIBLE = {text for text, *marks in LINES if marks}
"""Those that no Latin square of their size obeys."""


def rule_of(text):
    """Return the name of the rule that a text is a sample of."""
    return text.rpartition("+")[2].partition(":")[0]
