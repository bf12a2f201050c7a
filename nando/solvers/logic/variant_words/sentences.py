"""Steps on a variant in words, with one function for each technique.

A function says which pattern of the table tells a step, and names what is in it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation, worded
from nando.solvers.logic.language import Words
from nando.solvers.logic.sudoku.pattern import AnyMarks, AnyStep
from nando.solvers.logic.sudoku_words.chains import chain, forcing
from nando.solvers.logic.sudoku_words.names import Names, bare
from nando.solvers.logic.sudoku_words.unique import bivalue_universal_grave, unique_loop
from nando.solvers.logic.sudoku_words.wings import aligned
from nando.solvers.logic.variant_words.names import VariantNames
from nando.solvers.logic.variant_words.reasons import VariantReasons
from nando.solvers.logic.variants import chains
from nando.solvers.logic.variants import ladder as kernels
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.patterns import EXACT
from nando.solvers.logic.variants.relations import NEXT_TO_DIGIT
from nando.solvers.logic.variants.singles import FULL
from nando.solvers.logic.variants.step import Broken, VariantStep
from nando.solvers.logic.variants.unions import Union
from nando.solvers.variants.network import network_of

_MOST_COMBINATIONS = 4
_MOST_ENTERED = 8
"""Names of a list before it ends with a number."""

Told = tuple[str, dict[str, Any]]
"""A pattern of the table, and what its texts have besides the name and what goes."""


def explain(step: VariantStep, marks: VariantMarks, words: Words) -> Explanation:
    """Return a step in words; `marks` are those before it."""
    if step.technique.kernel in chains.SEARCHES:
        return _as_on_a_grid(step, marks, words)
    teller = _Teller(step, marks, words)
    pattern, given = _PATTERNS[step.technique.kernel](teller)
    why = str(given.pop("why", "why"))
    name = words.name("hidden single" if pattern == "hidden_single" else step.technique.name)
    told = worded(words, pattern, why, name=name, gone=teller.gone(), **given)
    return told._replace(name=name) if pattern == "hidden_single" else told


def _as_on_a_grid(step: VariantStep, marks: VariantMarks, words: Words) -> Explanation:
    """Return a step that Sudoku's searches find, in Sudoku's sentences."""
    names, kernel = VariantNames(words, marks.puzzle), step.technique.kernel
    if kernel in (chains.CHAIN, chains.FORCING):
        tell = chain if kernel == chains.CHAIN else forcing
        found = tell(step, marks, VariantReasons(step, marks, names))
    else:
        found = _OF_SUDOKU[kernel](step, marks, names)
    if not found.name:
        return found
    sought = words.known(f"names.{found.name}.sought", "")
    return found._replace(name=words.name(found.name), sought=sought)


class _Teller:
    """Tells a step; its methods after `gone` are the techniques."""

    def __init__(self, step: VariantStep, marks: VariantMarks, words: Words) -> None:
        self.step = step
        self.marks = marks
        self.words = words
        self.names = VariantNames(words, marks.puzzle)

    def gone(self) -> str:
        """Return what the step removes or places."""
        if self.step.placement is not None:
            cell, digit = self.step.placement
            return self.words("conclusion.is", cell=self.names.cell(cell), digit=SYMBOLS[digit])
        return self.names.gone(self.step.eliminations)

    def _house(self) -> dict[str, Any]:
        """Return the house, the digit and the cells of a step."""
        digit = self.step.digits[0]
        return {
            "house": self.names.house(self.step.houses[0]),
            "the_digit": self.names.the(digit),
            "digit": SYMBOLS[digit],
            "cells": self.names.cells(self.step.cells, "or"),
        }

    def hidden_single(self) -> Told:
        pattern = "full_house" if self.step.technique.degree == FULL else "hidden_single"
        return pattern, {**self._house(), "cell": self.names.cell(self.step.cells[0])}

    def naked_single(self) -> Told:
        (cell,) = self.step.cells
        return "variant_single", {
            "house": self.names.house(_house_of(self.marks, cell)),
            "cell": self.names.cell(cell),
            "digit": bare(self.step.digits),
        }

    def direct_locked(self) -> Told:
        assert self.step.placement is not None
        inside, crossing, other = map(self.names.house, self.step.houses)
        cell = self.names.cell(self.step.placement[0])
        return "direct_locked", {
            **self._house(),
            "house": inside,
            "crossing": crossing,
            "other": other,
            "cell": cell,
        }

    def direct_hidden_subset(self) -> Told:
        assert self.step.placement is not None
        cell, digit = self.step.placement
        return "direct_hidden_subset", {
            "house": self.names.house(self.step.houses[0]),
            "digits": bare(self.step.digits),
            "cells": self.names.cells(self.step.cells),
            "the_digit": self.names.the(digit),
            "cell": self.names.cell(cell),
        }

    def relation(self) -> Told:
        cell, *others = self.step.cells
        named: dict[str, None] = {}
        for other in others:
            for rule in self.names.related(cell, other):
                named[self.names.meaning(rule, (cell, other))] = None
        fields = {"cell": self.names.cell(cell), "rules": self.words.listed(named)}
        if self.step.technique.degree == NEXT_TO_DIGIT:
            return "relation_to_digit", {**fields, "digit": bare(self.step.digits)}
        whole = len(self.step.digits) == self.marks.puzzle.size
        return "relation_of_any" if whole else "relation", {
            **fields,
            "either": self.names.digits(self.step.digits, "or"),
            "other": self.names.cell(others[0]),
        }

    def locked(self) -> Told:
        return "variant_locked", self._house()

    def sum(self) -> Told:
        rule = self.names.rule(self.step.rules[0])
        if self.step.technique.degree == 1:
            return "sum_rest", {"rule": rule}
        found = self._combinations()
        if not found:
            return "sum", {"rule": rule}
        listed = (
            self.words("sum_combinations.combination", digits="+".join(map(str, digits)))
            for digits in found
        )
        return "sum_combinations", {"rule": rule, "combinations": self.words.listed(listed, "or")}

    def _combinations(self) -> list[tuple[int, ...]]:
        """Return the sets of digits that a cage may hold; none where there are many."""
        marks, cells = self.marks, self.step.cells
        if any(not marks.sees(a, b) for a, b in combinations(cells, 2)):
            return []
        options = [marks.digits(cell) or (int(marks.values[cell]),) for cell in cells]
        total = _total_of(marks, cells)
        if total is None:
            return []
        found = []
        for digits in combinations(sorted(set().union(*options)), len(cells)):
            if sum(digits) == total and _fits(options, digits):
                found.append(digits)
            if len(found) > _MOST_COMBINATIONS:
                return []
        return found

    def needed(self) -> Told:
        (digit,), rule = self.step.digits, self.names.rule(self.step.rules[0])
        fields = {"rule": rule, "digit": SYMBOLS[digit], "the_digit": self.names.the(digit)}
        if self.step.houses:
            return "needed_by_house", {**fields, "house": self.names.house(self.step.houses[0])}
        places = [cell for cell in self.step.cells if digit in self.marks.digits(cell)]
        return "needed", {**fields, "cells": self.names.cells(places, "or")}

    def union(self) -> Told:
        union = self._union()
        places = self.marks.puzzle.places
        inside = [places[c] for c, w in zip(union.cells, union.weights, strict=True) if w > 0]
        outside = [places[c] for c, w in zip(union.cells, union.weights, strict=True) if w < 0]
        n = self.marks.puzzle.size
        whole = len(union.houses) * n * (n + 1) // 2
        part = sum(int(self.marks.network.sum_totals[number]) for number in union.sums)
        one = len(union.cells) == 1
        # Cells that lie outside alone are counted as positive.
        if outside:
            why = "both"
        elif whole >= part:
            why = "innie" if one else "innies"
        else:
            why = "outie" if one else "outies"
        return "union", {
            "why": why,
            "houses": self.names.houses(union.houses),
            "whole": whole,
            "part": part,
            "cells": self.names.cells(inside),
            "others": self.names.cells(outside) if outside else "",
            "total": union.total,
        }

    def _union(self) -> Union:
        _, sources = layout_of(self.marks.puzzle)
        places = self.marks.puzzle.places
        return next(
            union
            for union in sources.unions
            if union.houses == self.step.houses
            and {places[cell] for cell in union.cells} == set(self.step.cells)
        )

    def pattern(self) -> Told:
        exact = self.step.technique.degree == EXACT
        fields = {"rule": self.names.rule(self.step.rules[0])}
        return "pattern_exact" if exact else "pattern", fields

    def naked_subset(self) -> Told:
        fields = {
            "digits": bare(self.step.digits),
            "cells": self.names.cells(self.step.cells),
            "either": self.names.digits(self.step.digits, "or"),
        }
        if self.step.houses:
            inside = set(self.marks.house(self.step.houses[0]))
            own = all(cell in inside for cell, _ in self.step.eliminations)
            fields["house"] = self.names.house(self.step.houses[0])
            return "naked_subset" if own else "naked_subset_seen", fields
        return "naked_subset_in_rule", {**fields, "rule": self.names.rule(self.step.rules[0])}

    def hidden_subset(self) -> Told:
        return "hidden_subset", {
            "house": self.names.house(self.step.houses[0]),
            "digits": bare(self.step.digits),
            "cells": self.names.cells(self.step.cells),
            "subset_cells": self.words(f"subset_cells.{len(self.step.cells)}"),
        }

    def fish(self) -> Told:
        n = len(self.step.houses) // 2
        base, cover = self.step.houses[:n], self.step.houses[n:]
        (digit,) = self.step.digits
        first, second = self.marks.house(base[0])[:2]
        return "fish_of_rows" if second == first + 1 else "fish_of_columns", {
            "digit": SYMBOLS[digit],
            "the_digit": self.names.the(digit),
            "among": self.names.houses(base, "among"),
            "cover": self.names.houses(cover),
            "number": self.words(f"number.{n}"),
            "every": self.words(f"every_line.{n}"),
        }

    def wing(self) -> Told:
        pivot, one, other = self.step.cells
        mine, first, second = (self.marks.digits(cell) for cell in self.step.cells)
        digit = (set(first) & set(second)).pop()
        return "xy_wing" if len(mine) == 2 else "xyz_wing", {
            "house": self.names.house(_house_of(self.marks, pivot)),
            "pivot": self.names.cell(pivot),
            "one": self.names.cell(one),
            "other": self.names.cell(other),
            "digits": bare(mine),
            "one_digits": bare(first),
            "other_digits": bare(second),
            "either": self.names.digits(mine, "or"),
            "first": SYMBOLS[next(d for d in first if d != digit)],
            "second": SYMBOLS[next(d for d in second if d != digit)],
            "digit": SYMBOLS[digit],
        }

    def large_wing(self) -> Told:
        *cells, single = self.step.cells
        pair = self.marks.digits(single)
        restricted = [
            digit
            for digit in pair
            if all(
                self.marks.sees(single, cell) for cell in cells if digit in self.marks.digits(cell)
            )
        ]
        both = len(restricted) == 2
        return "variant_wing", {
            "why": "both" if both else "why",
            "house": self.names.house(_house_of(self.marks, single)),
            "digits": bare(self.step.digits),
            "cells": self.names.cells(cells),
            "single": self.names.cell(single),
            "pair": bare(pair),
            "shared": SYMBOLS[restricted[0]],
            "locked": SYMBOLS[next((d for d in pair if d not in restricted), pair[0])],
        }

    def strong_links(self) -> Told:
        (digit,) = self.step.digits
        return "variant_links", {
            "house": self.names.house(self.step.houses[0]),
            "houses": self.names.houses(self.step.houses),
            "digit": SYMBOLS[digit],
            "the_digit": self.names.the(digit),
            "cells": self.names.cells(self.step.cells),
        }

    def what_if(self) -> Told:
        (cell, digit, _), *way = self.step.branches[0]
        fields: dict[str, Any] = {
            "cell": self.names.cell(cell),
            "digit": SYMBOLS[digit],
            "contradiction": contradiction(self.step, self.names),
        }
        if not way:
            return "what_if_at_once", fields
        return "what_if", {**fields, "entailed": self._entered(way)}

    def _entered(self, way: Iterable[tuple[int, int, bool]]) -> str:
        return self.words.first_listed(
            [
                self.words("entered.one", cell=self.names.cell(c), digit=SYMBOLS[d])
                for c, d, _ in way
            ],
            _MOST_ENTERED,
        )

    def deep_what_if(self) -> Told:
        cell, digit, _ = self.step.branches[0][0]
        return "deep_what_if", {
            "cell": self.names.cell(cell),
            "digit": SYMBOLS[digit],
            "cases": self.words.count("deep_what_if.cases", self.step.n_cases),
        }

    def dilemma(self) -> Told:
        if self.step.houses:
            return "dilemma_in_house", self._house()
        (cell,) = self.step.cells
        return "dilemma", {
            "cell": self.names.cell(cell),
            "either": self.names.digits(self.step.digits, "or"),
        }


def contradiction(step: VariantStep, names: VariantNames) -> str:
    """Return the contradiction of a what-if, as the end of a sentence; empty for other steps."""
    clash = step.contradiction
    if clash is None:
        return ""
    words = names.words
    if clash.broken is Broken.CELL:
        return words("contradiction.cell", cell=names.cell(clash.number))
    if clash.broken is Broken.HOUSE:
        house, digit = names.house(clash.number), names.the(clash.digit)
        return words("contradiction.house", house=house, the_digit=digit)
    return words("contradiction.rule", rule=names.rule(clash.number, clash.cells))


def _house_of(marks: VariantMarks, cell: int) -> int:
    """Return the last house of a cell that is no row or column, or its row."""
    houses = [
        number
        for number in range(len(layout_of(marks.puzzle)[0].houses))
        if cell in marks.house(number)
    ]
    other = [number for number in houses if marks.rule_of_house(number) >= 0]
    return other[0] if other else houses[0]


def _total_of(marks: VariantMarks, cells: Iterable[int]) -> int | None:
    """Return the sum of cells whose weights are all 1; None if there is no such sum."""
    network, _ = network_of(marks.puzzle)
    places, start = marks.puzzle.places, network.sum_start.tolist()
    wanted = set(cells)
    for number, total in enumerate(network.sum_totals.tolist()):
        part = slice(start[number], start[number + 1])
        mine = {places[cell] for cell in network.sum_cells[part].tolist()}
        if mine == wanted and (network.sum_weights[part] == 1).all():
            return int(total)
    return None


def _fits(options: list[tuple[int, ...]], digits: tuple[int, ...]) -> bool:
    """Return True if each cell can take one of the digits, each digit once."""

    def fillings(left: frozenset[int], cells: list[tuple[int, ...]]) -> Iterator[bool]:
        if not cells:
            yield True
            return
        for digit in left & set(cells[0]):
            yield from fillings(left - {digit}, cells[1:])

    return any(fillings(frozenset(digits), sorted(options, key=len)))


_OF_SUDOKU: dict[int, Callable[[AnyStep, AnyMarks, Names], Explanation]] = {
    chains.ALIGNED: aligned,
    chains.UNIQUE_LOOP: unique_loop,
    chains.BIVALUE_UNIVERSAL_GRAVE: bivalue_universal_grave,
}

_PATTERNS: dict[int, Callable[[_Teller], Told]] = {
    kernels.HIDDEN_SINGLE: _Teller.hidden_single,
    kernels.NAKED_SINGLE: _Teller.naked_single,
    kernels.DIRECT_LOCKED: _Teller.direct_locked,
    kernels.DIRECT_HIDDEN_SUBSET: _Teller.direct_hidden_subset,
    kernels.RELATION: _Teller.relation,
    kernels.LOCKED: _Teller.locked,
    kernels.SUM: _Teller.sum,
    kernels.NEEDED: _Teller.needed,
    kernels.UNION: _Teller.union,
    kernels.PATTERN: _Teller.pattern,
    kernels.NAKED_SUBSET: _Teller.naked_subset,
    kernels.HIDDEN_SUBSET: _Teller.hidden_subset,
    kernels.FISH: _Teller.fish,
    kernels.WING: _Teller.wing,
    kernels.LARGE_WING: _Teller.large_wing,
    kernels.STRONG_LINKS: _Teller.strong_links,
    kernels.WHAT_IF: _Teller.what_if,
    kernels.DILEMMA: _Teller.dilemma,
    kernels.DEEP_WHAT_IF: _Teller.deep_what_if,
}
