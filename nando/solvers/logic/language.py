"""The texts of steps: templates with named fields, in a table for each language; steps in words."""

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, takewhile
from typing import Any, NamedTuple, get_args

from nando.checks import one_of
from nando.languages import texts
from nando.names import Language, PageLanguage
from nando.solvers.kinds import logic_of

LANGUAGES: dict[Language, str] = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "pt": "Português",
    "nl": "Nederlands",
    "pl": "Polski",
    "ja": "日本語",
}
"""The languages of steps in words, by their tags."""

PAGE_LANGUAGES: dict[PageLanguage, str] = {tag: LANGUAGES[tag] for tag in get_args(PageLanguage)}
"""The languages of pages to play, contests and audits."""


class Words:
    """The texts of a language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    *subjects : str
        Tables of `nando.languages`; a later one adds to those before it.

    Raises
    ------
    ValueError
        For an unknown language.
    """

    def __init__(self, language: str, *subjects: str) -> None:
        check_language(language)
        self.language = language
        self.table: dict[str, str] = {}
        for subject in subjects:
            self.table |= _leaves(texts(language, subject))

    def __call__(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in.

        A field is written in braces; ``{name!c}`` begins with a capital.

        Parameters
        ----------
        key : str
            The keys of the nested table that lead to the text, joined by periods; in a list, the
            last one is an index.
        **fields
        """
        text = self.table[key]
        # `str.format_map` is quicker, but does not know `!c`.
        return _FORMATTER.vformat(text, (), fields) if "!c" in text else text.format_map(fields)

    def paragraphs(self, key: str, **fields: object) -> list[str]:
        """Return the texts of a list with their fields filled in."""
        keys = takewhile(self.table.__contains__, (f"{key}.{i}" for i in count()))
        return [self(numbered, **fields) for numbered in keys]

    def form(self, key: str, n: int) -> str:
        """Return the key of the form of a text for `n` things; see :func:`plural_of`."""
        form = f"{key}.{plural_of(n)}"
        return form if form in self.table else f"{key}.other"

    def count(self, key: str, n: int, **fields: object) -> str:
        """Return the form of a text for `n` things; their number is its field ``n``."""
        return self(self.form(key, n), n=n, **fields)

    def known(self, key: str, otherwise: str) -> str:
        """Return a text, or `otherwise` if the table has none."""
        return self.table.get(key, otherwise)

    def name(self, name: str) -> str:
        """Return the name of a technique."""
        return self.known(f"names.{name}.name", name)

    def sought(self, name: str) -> str:
        """Return a technique as something to look for: with its article, if the table has it."""
        return self.known(f"names.{name}.sought", self.known(f"names.{name}.name", ""))

    def cell(self, cell: int, n_columns: int) -> str:
        """Return the name of a cell of a board with `n_columns` columns."""
        row, column = divmod(cell, n_columns)
        return self("cell.name", row=row + 1, column=column + 1)

    def listed(self, names: Iterable[str], joint: str = "and") -> str:
        """Return the names as a list in a sentence.

        Examples
        --------
        >>> words_of("en").listed(["r1c1", "r1c7", "r2c3"])
        'r1c1, r1c7 and r2c3'
        >>> words_of("de").listed(["3", "5"], "or")
        '3 oder 5'
        """
        *first, last = names
        if not first:
            return last
        key = f"list.{joint}_{last}"  # in some languages the joint depends on the last name
        key = key if key in self.table else f"list.{joint}"
        return self(key, first=self("list.comma").join(first), last=last)

    def first_listed(self, names: Sequence[str], most: int) -> str:
        """Return names as a list in a sentence; those after the first `most` are only counted."""
        left = len(names) - most
        if left > 0:
            names = [*names[:most], self.count("list.more", left)]
        return self.listed(names)

    def number(self, value: float) -> str:
        """Return a number with one decimal."""
        return f"{value:.1f}".replace(".", self("list.point"))


class _Formatter(string.Formatter):
    """Fields by name; ``!c`` begins with a capital."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "c":
            return value[:1].upper() + value[1:]
        return super().convert_field(value, conversion)


_FORMATTER = _Formatter()


@lru_cache(maxsize=64)
def words_of(language: str, *subjects: str) -> Words:
    """Return the texts that steps of all kinds of puzzle share, and those of more subjects."""
    return Words(language, "steps", *subjects)


def words_for(kind: str, language: str) -> Words:
    """Return the texts of the steps of a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without a ladder, and for an unknown language.
    """
    return words_of(language, *logic_of(kind).texts)


def plural_of(n: int) -> str:
    """Return the form of a text for a number of things: ``one``, ``few`` or ``other``.

    Only Polish has texts for ``few``, numbers such as 2, 3, 4 and 22. All other languages use
    ``other`` for these numbers.
    """
    if n == 1:
        return "one"
    return "few" if n % 10 in (2, 3, 4) and n // 10 % 10 != 1 else "other"


def check_language(language: str) -> None:
    """Raise a ValueError for a language that is not in `LANGUAGES`."""
    one_of("language", language, LANGUAGES)


def _leaves(table: Mapping[str, Any], above: str = "") -> dict[str, str]:
    return dict(_walk(table, above))


def _walk(table: Mapping[str, Any], above: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _walk(value, f"{above}{key}.")
        elif isinstance(value, list):
            yield from ((f"{above}{key}.{i}", str(part)) for i, part in enumerate(value))
        else:
            yield f"{above}{key}", str(value)


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
