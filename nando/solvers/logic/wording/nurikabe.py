"""Steps on a Nurikabe in words, with one function for each technique.

Each function chooses a pattern of the table of texts, and names the cells and numbers in it. The
sentences and their grammar are in the tables of `nando.languages`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from nando.puzzles.nurikabe import BLACK, UNKNOWN, WHITE, Nurikabe
from nando.solvers.logic.language import Explanation, Words, express
from nando.solvers.logic.nurikabe import rungs as kernels
from nando.solvers.logic.nurikabe.shading import NurikabeStep, Shading, place_of

COLOURS = {WHITE: "white", BLACK: "black"}
"""Names of the colours for programs, and their keys in a table."""

_MOST = 8
"""Most names in a list; the rest is only counted."""


class Names:
    """Names on a Nurikabe.

    Parameters
    ----------
    words : Words
    puzzle : Nurikabe

    Examples
    --------
    >>> from nando.solvers.logic.language import words_for
    >>> names = Names(words_for("nurikabe", "en"), Nurikabe("2../.../..1"))
    >>> names.number(0), names.cells([1, 2]), names.coloured("so", [1, 2], 2)
    ('the 2 at r1c1', 'r1c2 and r1c3', 'so r1c2 and r1c3 are black')
    """

    def __init__(self, words: Words, puzzle: Nurikabe) -> None:
        self.words = words
        self.puzzle = puzzle

    def cell(self, cell: int) -> str:
        """Return the name of a cell."""
        return self.words.cell(cell, self.puzzle.shape[1])

    def cells(self, numbers: Iterable[int]) -> str:
        """Return the names of cells as a list in a sentence; long lists are cut."""
        return self.listed(map(self.cell, numbers))

    def listed(self, names: Iterable[str]) -> str:
        """Return the names as a list in a sentence; long lists are cut."""
        return self.words.first_listed([*names], _MOST)

    def number(self, cell: int) -> str:
        """Return the number in a cell, with its article."""
        number = int(self.puzzle.numbers[cell])
        key = "number.unknown" if number < 0 else "number.known"
        return self.words(key, number=number, cell=self.cell(cell))

    def colour(self, colour: int) -> str:
        """Return the name of a colour."""
        return self.words(f"colour.{COLOURS[colour]}")

    def coloured(self, key: str, cells: tuple[int, ...] | list[int], colour: int) -> str:
        """Return the colour of cells as a sentence (key ``found``) or as a conclusion (``so``)."""
        return self.words.count(f"{key}.{COLOURS[colour]}", len(cells), cells=self.cells(cells))


def explain(step: NurikabeStep, shading: Shading, words: Words) -> Explanation:
    """Return a step in words; `shading` is the board before it."""
    names = Names(words, shading.puzzle)
    pattern, fields = _PATTERNS[step.technique.kernel](_Wording(step, shading, names))
    return express(
        words,
        pattern,
        name=words.name(step.technique.name),
        cells=names.cells(step.cells),
        found=names.coloured("found", step.cells, step.colour),
        so=names.coloured("so", step.cells, step.colour),
        **fields,
    )._replace(where=_where(step, shading, names))


def record(step: NurikabeStep, shading: Shading, words: Words) -> dict[str, Any]:
    """Return the pattern and the conclusion of a step as plain values.

    Cells and colours are named. All values are for programs and the same in every language, except
    for the contradiction, which is a text.
    """
    name = shading.puzzle.cell_name
    return {
        "cells": [name(cell) for cell in step.cells],
        "colour": COLOURS[step.colour],
        "reason": [name(cell) for cell in step.reason],
        "supposed": [[name(cell), COLOURS[colour]] for cell, colour in step.supposed],
        "contradiction": contradiction(step, Names(words, shading.puzzle)),
    }


def contradiction(step: NurikabeStep, names: Names) -> str:
    """Return the contradiction of a what-if, as the end of a sentence; empty for other steps."""
    clash = step.contradiction
    if clash is None:
        return ""
    cell, other = (names.cell(c) for c in (*clash.cells, 0, 0)[:2])
    fields = {"cell": cell, "other": other, "wanted": clash.wanted, "size": clash.size}
    return names.words(f"contradiction.{clash.rule.value}", **fields)


def _where(step: NurikabeStep, shading: Shading, names: Names) -> str:
    words, place = names.words, place_of(step, shading)
    if not place:
        return words("place.board")
    numbered = shading.numbers_in(step.reason)
    if numbered:
        return words("place.number", number=names.number(numbered[0]))
    return words("place.row", row=place[0] // shading.puzzle.shape[1] + 1)


Wording = tuple[str, dict[str, Any]]
"""A pattern of the table, and the fields of its texts besides those of every step."""


class _Wording:
    """Finds the pattern and fields of a step.

    `island` and `reason` return fields; each other method belongs to a technique.
    """

    def __init__(self, step: NurikabeStep, shading: Shading, names: Names) -> None:
        self.step = step
        self.shading = shading
        self.names = names

    def island(self) -> dict[str, Any]:
        """Return the fields of the first island of the reason: number, size needed and size."""
        start = self.shading.numbers_in(self.step.reason)[0]
        number = int(self.shading.puzzle.numbers[start])
        return {
            "number": self.names.number(start),
            "wanted": number,
            "has": len(self.shading.island(start)),
        }

    def reason(self) -> dict[str, Any]:
        """Return the cells to look at, in order."""
        return {"reason": self.names.cells(sorted(self.step.reason))}

    def between(self) -> Wording:
        first, second = map(self.names.number, self.shading.numbers_in(self.step.reason)[:2])
        return "between", {"one": first, "other": second}

    def complete(self) -> Wording:
        island = self.island()
        return "island_of_one" if island["wanted"] == 1 else "complete_island", island

    def island_exit(self) -> Wording:
        if not self.shading.numbers_in(self.step.reason):
            several = len(self.step.reason) > 1
            return "white_cells_exit" if several else "white_cell_exit", self.reason()
        island = self.island()
        return "island_exit" if island["wanted"] != UNKNOWN else "unknown_island_exit", island

    def oversize(self) -> Wording:
        size = len(set(self.step.reason)) + 1
        numbered = self.shading.numbers_in(self.step.reason)
        if numbered:
            return "island_too_large", {"number": self.names.number(numbered[0]), "size": size}
        return "island_without_number_too_large", {"size": size}

    def total(self) -> Wording:
        if self.step.colour == WHITE:
            return "total_of_river", {"n": int((self.shading.values == BLACK).sum())}
        return "total_of_islands", {"n": self.shading.n_white}

    def unreachable(self) -> Wording:
        if not self.step.reason:
            return "unreachable", {}
        is_single = len(self.step.reason) == 1
        pattern = "unreachable_by_pledge_of_one" if is_single else "unreachable_by_pledge"
        return pattern, self.reason()

    def river_bottleneck(self) -> Wording:
        if self.step.reason:
            return "river_bottleneck", self.reason()
        return "river_too_short", {}

    def island_bottleneck(self) -> Wording:
        island = self.island()
        whole = set(self.shading.island(self.shading.numbers_in(self.step.reason)[0]))
        pledged = sorted(set(self.step.reason) - whole)
        pattern = (
            "island_bottleneck" if island["wanted"] != UNKNOWN else "unknown_island_bottleneck"
        )
        if not pledged:
            return pattern, island
        return f"pledged_{pattern}", {**island, "pledged": self.names.cells(pledged)}

    def block_breaker(self) -> Wording:
        island = self.island()
        return "block_breaker", {**island, "block": self.names.cell(self.step.reason[-4])}

    def what_if(self) -> Wording:
        (cell, colour), *way = self.step.supposed
        fields: dict[str, Any] = {
            "cell": self.names.cell(cell),
            "colour": self.names.colour(colour),
            "contradiction": contradiction(self.step, self.names),
        }
        if not way:
            return "what_if_at_once", fields
        entailed = (
            self.names.words(
                "what_if.entailed", cell=self.names.cell(c), colour=self.names.colour(k)
            )
            for c, k in way
        )
        return "what_if", {**fields, "entailed": self.names.listed(entailed)}


_PATTERNS: dict[int, Callable[[_Wording], Wording]] = {
    kernels.BETWEEN: _Wording.between,
    kernels.COMPLETE: _Wording.complete,
    kernels.POOL: lambda teller: ("pool", {"reason": teller.names.cells(teller.step.reason)}),
    kernels.RIVER_EXIT: lambda teller: ("river_exit", teller.reason()),
    kernels.ISLAND_EXIT: _Wording.island_exit,
    kernels.OVERSIZE: _Wording.oversize,
    kernels.SHARED_EXIT: lambda teller: ("shared_neighbour", teller.island()),
    kernels.TOTAL: _Wording.total,
    kernels.ENCLOSED: lambda _: ("enclosed", {}),
    kernels.UNREACHABLE: _Wording.unreachable,
    kernels.RIVER_BOTTLENECK: _Wording.river_bottleneck,
    kernels.FILLED_REACH: lambda teller: ("filled_reach", teller.island()),
    kernels.ISLAND_BOTTLENECK: _Wording.island_bottleneck,
    kernels.STRANDED: lambda teller: ("stranded", teller.reason()),
    kernels.BLOCK_BREAKER: _Wording.block_breaker,
    kernels.BLOCK_COUNT: lambda teller: ("block_count", {"n": len(teller.step.reason) // 4}),
    kernels.REFUTATION: _Wording.what_if,
    kernels.DILEMMA: lambda teller: ("dilemma", {"reason": teller.names.cells(teller.step.reason)}),
    kernels.DEEP_REFUTATION: _Wording.what_if,
}
