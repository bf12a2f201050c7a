"""Steps on a variant in words, with one function for each technique.

Each function chooses a pattern of the table of texts, and names the cells, digits and rules in it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.language import Words
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import Broken, LogicStep
from nando.solvers.logic.variants.chains import SEARCHES
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.patterns import EXACT
from nando.solvers.logic.variants.singles import NEXT_TO_DIGIT
from nando.solvers.logic.variants.unions import Union
from nando.solvers.logic.wording.chains import chain, forcing
from nando.solvers.logic.wording.names import Names, bare
from nando.solvers.logic.wording.telling import (
    Telling,
    direct_hidden_subset,
    direct_locked,
    fish,
    hidden_single,
    hidden_subset,
)
from nando.solvers.logic.wording.unique import (
    aligned,
    bivalue_universal_grave,
    locked_of_wing,
    unique_loop,
    wing,
)
from nando.solvers.variants.network import network_of

_MOST_COMBINATIONS = 4
_MOST_ENTERED = 8
"""Most digits in a list; the rest is only counted."""


def explain(step: LogicStep, marks: PencilMarks, words: Words) -> Explanation:
    """Return a step in words; `marks` are those before it."""
    explanation = _SENTENCES[step.technique.kernel](_Telling(step, marks, words))
    if not explanation.name:
        return explanation
    is_searched = step.technique.kernel in SEARCHES
    sought = words.known(f"names.{explanation.name}.sought", "") if is_searched else ""
    return explanation._replace(name=words.name(explanation.name), sought=sought)


class _Telling(Telling):
    """Puts a step on a variant into words; each public method after `house_of` is a technique."""

    def gone(self) -> str:
        """Return the placement or the eliminations in words."""
        if self.step.placement is not None:
            cell, digit = self.step.placement
            return self.words("conclusion.is", cell=self.names.cell(cell), digit=SYMBOLS[digit])
        return super().gone()

    def house_of(self, cell: int) -> int:
        """Return the first house of a cell other than a row or column, or else its row."""
        marks = self.marks
        houses: list[int] = sorted(marks.houses_of((cell,)))
        other = [number for number in houses if marks.rule_of_house(number) >= 0]
        return other[0] if other else houses[0]

    def naked_single(self) -> Explanation:
        return self.worded("variant_single")

    def relation(self) -> Explanation:
        cell, *others = self.step.cells
        named: dict[str, None] = {}
        for other in others:
            for rule in self.names.related(cell, other):
                named[self.names.meaning(rule, (cell, other))] = None
        rules = self.words.listed(named)
        if self.step.technique.degree == NEXT_TO_DIGIT:
            return self.worded("relation_to_digit", rules=rules, cell=self.names.cell(cell))
        whole = len(self.step.digits) == self.marks.puzzle.size
        pattern = "relation_of_any" if whole else "relation"
        return self.worded(pattern, rules=rules, other=self.names.cell(others[0]))

    def locked(self) -> Explanation:
        return self.worded("variant_locked", cells=self.cells_or())

    def sum(self) -> Explanation:
        rule = self._rule()
        if self.step.technique.degree == 1:
            return self.worded("sum_rest", rule=rule)
        combinations = self._combinations()
        if not combinations:
            return self.worded("sum", rule=rule)
        listed = (
            self.words("sum_combinations.combination", digits="+".join(map(str, digits)))
            for digits in combinations
        )
        return self.worded(
            "sum_combinations", rule=rule, combinations=self.words.listed(listed, "or")
        )

    def _rule(self) -> str:
        """Return the name of the first rule."""
        return self.names.rule(self.step.rules[0])

    def _combinations(self) -> list[tuple[int, ...]]:
        """Return the sets of digits that a cage may hold; none if there are many."""
        marks, cells = self.marks, self.step.cells
        if any(not marks.sees(a, b) for a, b in combinations(cells, 2)):
            return []
        options = [marks.digits(cell) or (int(marks.values[cell]),) for cell in cells]
        total = _total_of(marks, cells)
        if total is None:
            return []
        sets = []
        for digits in combinations(sorted(set().union(*options)), len(cells)):
            if sum(digits) == total and _fits(options, digits):
                sets.append(digits)
            if len(sets) > _MOST_COMBINATIONS:
                return []
        return sets

    def needed(self) -> Explanation:
        rule = self._rule()
        if self.step.houses:
            return self.worded("needed_by_house", rule=rule)
        (digit,) = self.step.digits
        places = [cell for cell in self.step.cells if digit in self.marks.digits(cell)]
        return self.worded("needed", rule=rule, cells=self.names.cells(places, "or"))

    def union(self) -> Explanation:
        union = self._union()
        places = self.marks.puzzle.places
        inside = [places[c] for c, w in zip(union.cells, union.weights, strict=True) if w > 0]
        outside = [places[c] for c, w in zip(union.cells, union.weights, strict=True) if w < 0]
        n = self.marks.puzzle.size
        whole = len(union.houses) * n * (n + 1) // 2
        totals = network_of(self.marks.puzzle)[0].sum_totals
        part = sum(int(totals[number]) for number in union.sums)
        of_rules = {self._sum_name(number) for number in union.sums}
        is_single = len(union.cells) == 1
        # If all cells lie outside, their weights are positive.
        if outside:
            why = "both"
        elif whole >= part:
            why = "innie" if is_single else "innies"
        else:
            why = "outie" if is_single else "outies"
        return self.worded(
            "union",
            why,
            houses=self.names.houses(union.houses),
            whole=whole,
            part=part,
            sums=self.words(f"union.sums.{of_rules.pop() if len(of_rules) == 1 else 'several'}"),
            cells=self.names.cells(inside),
            others=self.names.cells(outside) if outside else "",
            total=union.total,
        )

    def _sum_name(self, number: int) -> str:
        """Return the name of the rule that a sum comes from."""
        puzzle = self.marks.puzzle
        name: str = puzzle.rules[layout_of(puzzle)[1].sums[number]].name
        return name

    def _union(self) -> Union:
        _, sources = layout_of(self.marks.puzzle)
        places = self.marks.puzzle.places
        return next(
            union
            for union in sources.unions
            if union.houses == self.step.houses
            and {places[cell] for cell in union.cells} == set(self.step.cells)
        )

    def pattern(self) -> Explanation:
        exact = self.step.technique.degree == EXACT
        return self.worded("pattern_exact" if exact else "pattern", rule=self._rule())

    def naked_subset(self) -> Explanation:
        if not self.step.houses:
            return self.worded("naked_subset_in_rule", rule=self._rule())
        inside = set(self.marks.house(self.step.houses[0]))
        own = all(cell in inside for cell, _ in self.step.eliminations)
        return self.worded("naked_subset" if own else "naked_subset_seen")

    def large_wing(self) -> Explanation:
        *cells, single = self.step.cells
        pair = self.marks.digits(single)
        restricted = locked_of_wing(self)
        return self.worded(
            "variant_wing",
            "both" if len(restricted) == 2 else "why",
            house=self.names.house(self.house_of(single)),
            cells=self.names.cells(cells),
            single=self.names.cell(single),
            pair=bare(pair),
            shared=SYMBOLS[restricted[0]],
            locked=SYMBOLS[next((d for d in pair if d not in restricted), pair[0])],
        )

    def strong_links(self) -> Explanation:
        return self.worded("variant_links", houses=self.names.houses(self.step.houses))

    def what_if(self) -> Explanation:
        (cell, digit, _), *way = self.step.branches[0]
        return self.worded(
            "what_if" if way else "what_if_at_once",
            cell=self.names.cell(cell),
            digit=SYMBOLS[digit],
            contradiction=contradiction(self.step, self.names),
            entailed=self._entered(way) if way else "",
        )

    def _entered(self, way: Iterable[tuple[int, int, bool]]) -> str:
        return self.words.first_listed(
            [
                self.words("entered.one", cell=self.names.cell(c), digit=SYMBOLS[d])
                for c, d, _ in way
            ],
            _MOST_ENTERED,
        )

    def deep_what_if(self) -> Explanation:
        cell, digit, _ = self.step.branches[0][0]
        cases = self.words.count("deep_what_if.cases", self.step.n_cases)
        named = self.names.cell(cell)
        return self.worded("deep_what_if", cell=named, digit=SYMBOLS[digit], cases=cases)

    def dilemma(self) -> Explanation:
        if self.step.houses:
            return self.worded("dilemma_in_house", cells=self.cells_or())
        return self.worded("dilemma")


def contradiction(step: LogicStep, names: Names) -> str:
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


def _total_of(marks: PencilMarks, cells: Iterable[int]) -> int | None:
    """Return the total of the sum of these cells with weights 1; None if there is no such sum."""
    network, _ = network_of(marks.puzzle)
    places, start = marks.puzzle.places, network.sum_start.tolist()
    members = set(cells)
    for number, total in enumerate(network.sum_totals.tolist()):
        part = slice(start[number], start[number + 1])
        mine = {places[cell] for cell in network.sum_cells[part].tolist()}
        if mine == members and (network.sum_weights[part] == 1).all():
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


_SENTENCES: dict[int, Callable[[Any], Explanation]] = {
    kernels.HIDDEN_SINGLE: hidden_single,
    kernels.NAKED_SINGLE: _Telling.naked_single,
    kernels.DIRECT_POINTING: direct_locked,
    kernels.DIRECT_CLAIMING: direct_locked,
    kernels.DIRECT_HIDDEN_SUBSET: direct_hidden_subset,
    kernels.RELATION: _Telling.relation,
    kernels.LOCKED: _Telling.locked,
    kernels.SUM: _Telling.sum,
    kernels.NEEDED: _Telling.needed,
    kernels.UNION: _Telling.union,
    kernels.PATTERN: _Telling.pattern,
    kernels.NAKED_SUBSET: _Telling.naked_subset,
    kernels.HIDDEN_SUBSET: hidden_subset,
    kernels.FISH: fish,
    kernels.WING: wing,
    kernels.LARGE_WING: _Telling.large_wing,
    kernels.STRONG_LINKS: _Telling.strong_links,
    kernels.WHAT_IF: _Telling.what_if,
    kernels.DILEMMA: _Telling.dilemma,
    kernels.DEEP_WHAT_IF: _Telling.deep_what_if,
    kernels.CHAIN: chain,
    kernels.FORCING: forcing,
    kernels.NESTED_FORCING: forcing,
    kernels.ALIGNED: aligned,
    kernels.UNIQUE_LOOP: unique_loop,
    kernels.BIVALUE_UNIVERSAL_GRAVE: bivalue_universal_grave,
}
