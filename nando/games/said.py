"""Sentences of an audit: English texts that the tables of languages can translate.

A sentence is created when a fact is known, but read in tables, in pages and on a terminal, in
different languages. It is therefore a string that keeps its key and its fields.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from nando.checks import one_of
from nando.puzzles import Puzzle
from nando.solvers.logic.language import PAGE_LANGUAGES, Words, words_of


class Said(str):
    """A text in English with its key in the tables, and the fields of its template.

    Attributes
    ----------
    key : str
    fields : dict of str to object
        Numbers, names, other such texts, and lists of them.
    """

    key: str
    fields: Mapping[str, object]

    def render(self, words: Words) -> str:
        """Return the text in a language, or in English if its table lacks the key."""
        key = _form(self.key, self.fields, words)
        if key not in words.table:
            return str(self)
        return words(key, **{name: _translate(value, words) for name, value in self.fields.items()})


def say(key: str, **fields: object) -> Said:
    """Return the text of a key, or its form for the number `n`, with its fields filled in.

    Examples
    --------
    >>> sentence = say("evidence.why_fills", n=7)
    >>> sentence
    '7 fills'
    >>> translate(sentence, "de")
    '7 Eintragungen'
    """
    words = words_in("en")
    english = {name: _translate(value, words) for name, value in fields.items()}
    return _with(words(_form(key, fields, words), **english), key, fields)


def say_counted(key: str, n: int, **fields: object) -> Said:
    """Return the text of a key that has a singular and a plural."""
    return say(key, n=n, **fields)


def say_known(table: str, text: str) -> Said:
    """Return a text that is its own key in a table.

    A text that is not in the table stays English in every language.
    """
    return _with(text, f"{table}.{text}", {})


def figure(value: float, form: str) -> Said:
    """Return a number, with the signs for decimals and thousands of its language."""
    return _with(f"{value:{form}}", "figure", {"value": value, "form": form})


def cell(puzzle: Puzzle, number: int) -> Said:
    """Return the name of a cell."""
    row, column = divmod(number, puzzle.shape[1])
    return _with(puzzle.cell_name(number), "cell.name", {"row": row + 1, "column": column + 1})


def translate(text: str, language: str) -> str:
    """Return a text in a language; a plain string is returned unchanged."""
    return str(_translate(text, words_in(language)))


def join(texts: Iterable[str], language: str) -> str:
    """Return texts in a language as one, separated by semicolons."""
    return "; ".join(translate(text, language) for text in texts)


def words_in(language: str) -> Words:
    """Return the texts of audits in a language of pages."""
    one_of("language", language, PAGE_LANGUAGES)
    return words_of(language, "audits")


def _with(text: str, key: str, fields: Mapping[str, object]) -> Said:
    sentence = Said(text)
    sentence.key, sentence.fields = key, fields
    return sentence


def _form(key: str, fields: Mapping[str, object], words: Words) -> str:
    """Return a key or, if its text has forms for numbers, that of the form for the field `n`."""
    n = fields.get("n")
    return words.form(key, n) if isinstance(n, int) and key not in words.table else key


def _translate(value: object, words: Words) -> Any:
    """Return a field of a template in a language."""
    if isinstance(value, list | tuple):
        return ", ".join(str(_translate(part, words)) for part in value)
    if isinstance(value, Said) and value.key == "figure":
        signs = str.maketrans({".": words("figures.point"), ",": words("figures.thousands")})
        return str(value).translate(signs)
    return value.render(words) if isinstance(value, Said) else value
