"""Steps by the rules of a variant in words, with one function for each technique."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from nando.solvers.logic.language import Explanation
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import Broken, LogicStep
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.relation_steps import EXACT, NEXT_TO_DIGIT
from nando.solvers.logic.wording.names import Names
from nando.solvers.logic.wording.telling import Telling
from nando.solvers.variants.network import network_of

_MOST_COMBINATIONS = 4
_MOST_RULES = 4
_MOST_ENTERED = 8
"""Most digits in a list; the rest is only counted."""


def relation(telling: Telling) -> Explanation:
    """Explain what the candidates of a cell rule out in another by rules on the two cells."""
    names, (cell, *others) = telling.names, telling.step.cells
    named: dict[str, None] = {}
    for other in others:
        for rule in names.rules_between(cell, other):
            named[names.meaning(rule, (cell, other))] = None
    rules = telling.words.listed(named)
    if telling.step.technique.degree == NEXT_TO_DIGIT:
        return telling.express("relation_to_digit", rules=rules, cell=names.cell(cell))
    whole = len(telling.step.digits) == telling.marks.puzzle.size
    pattern = "relation_of_any" if whole else "relation"
    return telling.express(pattern, rules=rules, other=names.cell(others[0]))


def relations(tellings: Sequence[Telling]) -> str:
    """Explain what rules on two cells rule out in many steps, by the names of the rules alone."""
    names, words = tellings[0].names, tellings[0].words
    named: dict[str, None] = {}
    gone = [pair for telling in tellings for pair in telling.step.eliminations]
    for telling in tellings:
        cell, *others = telling.step.cells
        for other in others:
            pair = sorted((cell, other))
            named |= dict.fromkeys(names.rule(rule, pair) for rule in names.rules_between(*pair))
    rules = words.first_listed([*named], _MOST_RULES)
    return words("relations.why", rules=rules, gone=names.gone(gone))


def locked(telling: Telling) -> Explanation:
    """Explain what all positions of a digit in a house rule out."""
    step = telling.step
    gone = [cell for cell, digit in step.eliminations if digit in step.digits]
    shared = telling.marks.houses_of((*step.cells, *gone))
    if len(gone) == len(step.eliminations) and shared:
        crossing = telling.names.house(min(shared))
        return telling.express("locked", crossing=crossing, cells=telling.cells_or())
    return telling.express("variant_locked", cells=telling.cells_or())


def sums(telling: Telling) -> Explanation:
    """Explain what a sum rules out: by its rest, by its combinations, or by none of them."""
    rule = telling.rule()
    if telling.step.technique.degree == 1:
        return telling.express("sum_rest", rule=rule)
    lowest = telling.marks.puzzle.board.lowest
    listed = [
        telling.words(
            "sum_combinations.combination", digits="+".join(str(d + lowest - 1) for d in digits)
        )
        for digits in _combinations(telling.marks, telling.step.cells)
    ]
    if not listed:
        return telling.express("sum", rule=rule)
    combined = telling.words.listed(listed, "or")
    return telling.express("sum_combinations", rule=rule, combinations=combined)


def _combinations(marks: PencilMarks, cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets of digits that a cage may hold; none if there are many."""
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


def needed(telling: Telling) -> Explanation:
    """Explain a digit that every combination of a sum has, or that a house has only in it."""
    if telling.step.houses:
        return telling.express("needed_by_house", rule=telling.rule())
    (digit,) = telling.step.digits
    places = [cell for cell in telling.step.cells if digit in telling.marks.digits(cell)]
    return telling.express("needed", rule=telling.rule(), cells=telling.names.cells(places, "or"))


def union(telling: Telling) -> Explanation:
    """Explain innies and outies: the cells in which sums and houses differ."""
    step, names, puzzle = telling.step, telling.names, telling.marks.puzzle
    places = puzzle.places
    _, sources = layout_of(puzzle)
    union = next(
        union
        for union in sources.unions
        if union.houses == step.houses and {places[cell] for cell in union.cells} == {*step.cells}
    )
    inside = [places[c] for c, w in zip(union.cells, union.weights, strict=True) if w > 0]
    outside = [places[c] for c, w in zip(union.cells, union.weights, strict=True) if w < 0]
    # The network counts digits from 1; a person adds what they stand for.
    network, less = network_of(puzzle)[0], 1 - puzzle.board.lowest
    whole = len(union.houses) * sum(puzzle.board.values)
    totals = network.sum_totals - less * np.diff(network.sum_start)
    part = sum(int(totals[number]) for number in union.sums)
    of_rules = {puzzle.rules[sources.sums[number]].name for number in union.sums}
    # If all cells lie outside, their weights are positive.
    why = "both" if outside else "innies" if whole >= part else "outies"
    return telling.express(
        "union",
        why.removesuffix("s") if len(union.cells) == 1 else why,
        houses=names.houses(union.houses),
        whole=whole,
        part=part,
        sums=telling.words(f"union.sums.{of_rules.pop() if len(of_rules) == 1 else 'several'}"),
        cells=names.cells(inside),
        others=names.cells(outside) if outside else "",
        total=union.total - less * sum(union.weights),
    )


def pattern(telling: Telling) -> Explanation:
    """Explain what a clue on a line of cells rules out."""
    exact = telling.step.technique.degree == EXACT
    return telling.express("pattern_exact" if exact else "pattern", rule=telling.rule())


def joint(telling: Telling) -> Explanation:
    """Explain what several rules rule out together, or the digit that they need."""
    step, names = telling.step, telling.names
    parts = [names.rule(rule) for rule in step.rules]
    named = telling.words.first_listed(parts, _MOST_RULES) if parts else ""
    if step.houses:
        named = telling.words.listed([*([named] if named else []), names.houses(step.houses)])
    if not step.digits:
        return telling.express("joint", parts=named)
    (digit,) = step.digits
    places = [cell for cell in step.cells if digit in telling.marks.digits(cell)]
    return telling.express("joint", "need", parts=named, cells=names.cells(places, "or"))


def split(telling: Telling) -> Explanation:
    """Explain what the classes of digits that a line leaves to its cells rule out."""
    step = telling.step
    named = {
        branch: "".join(telling.names.symbols[digit] for _, digit, _ in branch)
        for branch in step.branches
    }
    wrong = [digits for branch, digits in named.items() if not branch[0][2]]
    why = "rest" if {cell for cell, _ in step.eliminations} - {*step.cells} else "wrong"
    return telling.express(
        "split",
        why if wrong else "why",
        rule=telling.rule(),
        cases=telling.words.listed(named.values(), "or"),
        wrong=telling.words.listed(wrong, "or") if wrong else "",
    )


def what_if(telling: Telling) -> Explanation:
    """Explain a candidate that leads to a contradiction."""
    names, words, (start, *way) = telling.names, telling.words, telling.step.branches[0]
    entered = [words("entered.one", cell=names.cell(c), digit=names.symbols[d]) for c, d, _ in way]
    return telling.express(
        "what_if" if way else "what_if_at_once",
        cell=names.cell(start[0]),
        digit=names.symbols[start[1]],
        contradiction=contradiction(telling.step, names),
        entailed=words.first_listed(entered, _MOST_ENTERED) if way else "",
    )


def deep_what_if(telling: Telling) -> Explanation:
    """Explain a candidate each continuation of which leads to a contradiction."""
    cell, digit, _ = telling.step.branches[0][0]
    cases = telling.words.count("deep_what_if.cases", telling.step.n_cases)
    names = telling.names
    return telling.express(
        "deep_what_if", cell=names.cell(cell), digit=names.symbols[digit], cases=cases
    )


def dilemma(telling: Telling) -> Explanation:
    """Explain what all candidates of a cell, or all positions of a digit, have in common."""
    if telling.step.houses:
        return telling.express("dilemma_in_house", cells=telling.cells_or())
    return telling.express("dilemma")


def contradiction(step: LogicStep, names: Names) -> str:
    """Return the contradiction of a what-if, as the end of a sentence; empty for other steps."""
    clash = step.contradiction
    if clash is None:
        return ""
    words = names.words
    if clash.broken is Broken.CELL:
        return words("contradiction.cell", cell=names.cell(clash.number))
    if clash.broken is Broken.HOUSE:
        house = names.house(clash.number)
        if not clash.digit:
            return words("contradiction.count", house=house)
        return words("contradiction.house", house=house, the_digit=names.the(clash.digit))
    return words("contradiction.rule", rule=names.rule(clash.number, clash.cells))
