"""The parts of a step in words, for every kind of puzzle."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nando.solvers.logic.language import Words


class Explanation(NamedTuple):
    """A step in words.

    Attributes
    ----------
    where : str
        A place to look at, such as "in row 1".
    what : str
        What comes after the name, such as "3 5 in r1c2 and r1c7 (row 1)"; "" for nothing.
    why : str
        What follows, and why.
    name : str
        Name of the technique as people call it; "" for the one on the ladder.
    sought : str
        What to look for, such as "a naked pair"; "" for the name with its article.
    question : str
        Asked instead of showing `what`, where that would say too little or too much.
    variant : str
        What tells it from others of its name, such as "type 1"; "" for nothing.
    """

    where: str
    what: str
    why: str
    name: str = ""
    sought: str = ""
    question: str = ""
    variant: str = ""


def worded(words: Words, pattern: str, why: str = "why", **fields: object) -> Explanation:
    """Return a step in the words of its pattern.

    Parameters
    ----------
    words : Words
        Its table has the parts of the pattern; those that it lacks are empty.
    pattern : str
    why : str
        The key of the reason, where the pattern has several.
    **fields
        Those of all of these texts.
    """

    def part(name: str) -> str:
        key = f"{pattern}.{name}"
        return words(key, **fields) if key in words.table else ""

    return Explanation(
        part("where"), part("what"), words(f"{pattern}.{why}", **fields), question=part("question")
    )


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Return the names as a list in a sentence.

    Examples
    --------
    >>> listed(["r1c1", "r1c7", "r2c3"])
    'r1c1, r1c7 and r2c3'
    """
    *first, last = names
    return f"{', '.join(first)} {joint} {last}" if first else last


def first_listed(names: Sequence[str], most: int = 5) -> str:
    """Return the names as a list in a sentence; of many, the first and how many more there are.

    Examples
    --------
    >>> first_listed(["r1c1", "r1c7", "r2c3"], most=1)
    'r1c1 and 2 more'
    """
    left = len(names) - most
    return listed([*names[:most], f"{left} more"] if left > 0 else names)
