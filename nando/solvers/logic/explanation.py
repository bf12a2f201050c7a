"""The parts of a step in words, for every kind of puzzle."""

from collections.abc import Sequence
from typing import NamedTuple

from nando.solvers.logic.language import Words, words_of


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
        Common name of the technique; "" for its name on the ladder.
    sought : str
        What to look for, such as "a naked pair"; "" for the name with its article.
    question : str
        What to ask instead of showing `what`, if that would reveal too little or too much.
    variant : str
        What distinguishes it from other steps of its name, such as "type 1"; "" for nothing.
    """

    where: str
    what: str
    why: str
    name: str = ""
    sought: str = ""
    question: str = ""
    variant: str = ""


def express(words: Words, pattern: str, why: str = "why", **fields: object) -> Explanation:
    """Return a step in the words of its pattern.

    Parameters
    ----------
    words : Words
        Its table has the parts of the pattern; those that it lacks are empty.
    pattern : str
    why : str
        The key of the reason, if the pattern has several.
        **fields
        Fields of all of these texts.
    """

    def part(name: str) -> str:
        key = f"{pattern}.{name}"
        return words(key, **fields) if key in words.table else ""

    return Explanation(
        part("where"), part("what"), words(f"{pattern}.{why}", **fields), question=part("question")
    )


def first_listed(names: Sequence[str]) -> str:
    """Return names as a list in an English sentence; from the sixth on they are only counted.

    Examples
    --------
    >>> first_listed(["r1c1", "r1c7", "r2c3"])
    'r1c1, r1c7 and r2c3'
    """
    return words_of("en").first_listed(names, 5)
