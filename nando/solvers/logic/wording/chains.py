"""Chains in words: the assumption, what becomes true, and the conclusion.

The text lists what becomes true, in order and with the reason: it is the last candidate of its
cell, or the only place of its digit in a house, once those before it are filled in. It lists what
becomes false only if the cells alone do not show it, or if it follows from a rule of a variant.
"""

from nando.solvers.logic.chains.assumptions import Literal, Trail, trails
from nando.solvers.logic.chains.forcing import CELLS_FORCE, CONTRADICTION, DOUBLE, HOUSE_FORCES
from nando.solvers.logic.chains.link_sets import CHAIN_X, CHAIN_XY, CYCLE_X, CYCLE_XY, CYCLE_Y
from nando.solvers.logic.language import Explanation
from nando.solvers.logic.step_pattern import Candidate, path_of
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording.families import is_w_wing
from nando.solvers.logic.wording.names import Names
from nando.solvers.logic.wording.telling import Reasons, Telling, fact_of, spoken_trails

_NAMES = {
    CYCLE_X: "X-cycle",
    CYCLE_Y: "Y-cycle",
    CYCLE_XY: "XY-cycle",
    CHAIN_X: "X-chain",
    CHAIN_XY: "forcing chain",
}

_CYCLES = {CYCLE_X: "x_cycle", CYCLE_Y: "y_cycle", CYCLE_XY: "xy_cycle"}
"""Patterns of the cycles in the table of texts."""

_MOST, _FIRST, _LAST = 14, 8, 4
"""Most facts of a chain that are listed; of a longer chain, the numbers of first and last facts."""


def chain(telling: Telling) -> Explanation:
    """Explain a cycle, or a chain whose end contradicts its start."""
    step = telling.step
    if step.variant in _CYCLES:
        explanation = _cycle(telling)
    elif (path := path_of(step)) is None:
        explanation = _refutation(telling)
    elif is_w_wing(path, telling.marks):
        explanation = _w_wing(path, telling)
    else:
        explanation = _true_at_an_end(path, telling)
    return explanation._replace(name=_NAMES[step.variant])


def _cycle(telling: Telling) -> Explanation:
    """Explain a cycle: every other candidate of it is true."""
    step, names = telling.step, telling.names
    facts = [fact_of((cell, digit, True), names) for cell, digit, *_ in step.links]
    return _from(
        _start(step),
        telling,
        _CYCLES[step.variant],
        name=_name(telling),
        one=telling.words.listed(facts[::2]),
        other=telling.words.listed(facts[1::2]),
    )


def _refutation(telling: Telling) -> Explanation:
    """Explain a chain that refutes its start."""
    (trail,), start = trails(telling.step), _start(telling.step)
    text = _trail_text(trail, _opposite(start), telling.reasons)
    pattern = f"chain_from_{_truth(start[2])}"
    return _from(start, telling, pattern, name=_name(telling), trail=text)


def _true_at_an_end(path: tuple[Candidate, ...], telling: Telling) -> Explanation:
    """Explain a chain whose first or last candidate is true."""
    (trail,) = spoken_trails(telling.step)
    last, digit = path[-1]
    text = _trail_text(trail, (last, digit, True), telling.reasons)
    last_cell = telling.names.cell(last)
    return _from(path[0], telling, "chain_ends", name=_name(telling), last=last_cell, trail=text)


def _w_wing(path: tuple[Candidate, ...], telling: Telling) -> Explanation:
    """Explain a chain between two cells with the same pair."""
    marks, names = telling.marks, telling.names
    (first, _), (_, joint), (near, _), (far, _), *_, (last, _) = path
    ends, pair = {near, far}, marks.digits(first)
    link = min(h for h in marks.houses_of((near, far)) if set(marks.places(h, joint)) == ends)
    return _from(
        path[0],
        telling,
        "w_wing",
        name=_name(telling),
        last=names.cell(last),
        pair=names.bare(pair),
        either=names.digits(pair, "or"),
        link=names.house(link),
        joint=names.symbols[joint],
        the_joint=names.the(joint),
        near=names.cell(near),
        far=names.cell(far),
    )


def forcing(telling: Telling) -> Explanation:
    """Explain chains from several assumptions, one of which holds, or to a contradiction."""
    step, names = telling.step, telling.names
    all_trails = trails(step)
    if step.variant == CONTRADICTION:
        return _contradiction(all_trails[0], telling)
    by_start = {trail.start: trail for trail in all_trails}
    start = all_trails[0].start
    if step.variant == HOUSE_FORCES:
        pattern, house, digit = "forcing_house", step.houses[0], start[1]
        fields = {"house": names.house(house), "the_digit": names.the(digit)}
        sources = [(cell, digit, True) for cell in telling.marks.places(house, digit)]
    elif step.variant == CELLS_FORCE:
        pattern, cell = "forcing_cell", start[0]
        inside = telling.marks.digits(cell)
        fields = {"digits": names.bare(inside), "each": names.digits(inside, "or")}
        sources = [(cell, digit, True) for digit in inside]
    else:
        assert step.variant == DOUBLE
        pattern, fields = "forcing_double", {}
        sources = [(*start[:2], True), (*start[:2], False)]
    target = _target(all_trails, step)
    parts = [
        _trail_text(by_start.get(source, Trail(source, {})), target, telling.reasons)
        for source in sources
    ]
    fields["trails"] = telling.words("list.semicolon").join(parts)
    fields["fact"] = fact_of(target, names)
    return _from(start, telling, pattern, f"why.{_truth(target[2])}", **fields)


def _contradiction(trail: Trail, telling: Telling) -> Explanation:
    """Explain a chain after which a candidate would be both true and false."""
    clash = _clash_of(trail)
    return _from(
        trail.start,
        telling,
        f"contradiction_from_{_truth(trail.start[2])}",
        trail=_trail_text(trail, clash, telling.reasons),
        clash=_clash_text(clash, trail.parents.get(_opposite(clash), []), telling.names),
    )


def _from(
    start: Candidate | Literal, telling: Telling, pattern: str, why: str = "why", **fields: str
) -> Explanation:
    """Explain a chain from a candidate in the words of a pattern."""
    cell, digit, *_ = start
    names = telling.names
    of_start = {
        "house": names.house(telling.house_of(cell)),
        "cell": names.cell(cell),
        "digit": names.symbols[digit],
    }
    return telling.express(pattern, why, **{**of_start, **fields})


def _name(telling: Telling) -> str:
    return telling.words.name(_NAMES[telling.step.variant])


def _start(step: LogicStep) -> Literal:
    cell, digit, is_on, *_ = step.links[0]
    return cell, digit, is_on


def _opposite(literal: Literal) -> Literal:
    return (*literal[:2], not literal[2])


def _truth(is_on: bool) -> str:
    return "true" if is_on else "false"


def _clashes(literal: Literal, trail: Trail) -> bool:
    """Return True if the opposite of a literal follows as well."""
    return _opposite(literal) in trail.parents or _opposite(literal) == trail.start


def _clash_of(trail: Trail) -> Literal:
    """Return the first candidate that the trail makes both true and false, as a true one."""
    return next(
        literal
        for literal in (trail.start, *trail.parents)
        if literal[2] and _clashes(literal, trail)
    )


def _clash_text(clash: Literal, off: list[Literal], names: Names) -> str:
    """Return why a candidate that must be true cannot be."""
    words, (cell, digit, _) = names.words, clash
    if len(off) == 1 and off[0][0] == cell:
        both = names.digits((off[0][1], digit))
        return words("clash.cell", cell=names.cell(cell), digits=both)
    if len(off) == 1 and off[0][1] == digit:
        both = names.cells((off[0][0], cell))
        return words("clash.digit", cells=both, digit=names.symbols[digit])
    return words("clash.other", cell=names.cell(cell), digit=names.symbols[digit])


def _target(all_trails: list[Trail], step: LogicStep) -> Literal:
    """Return the common end of all chains: the candidate removed, or the one that removes it."""
    cell, digit = step.eliminations[0]
    common = set.intersection(*({trail.start, *trail.parents} for trail in all_trails))
    if (cell, digit, False) in common:
        return cell, digit, False
    return next(literal for literal in common if literal[0] == cell and literal[2])


def _trail_text(trail: Trail, end: Literal, reasons: Reasons) -> str:
    """Return an assumption and its consequences, each with its reason.

    For example "if r1c1 is 5, then r1c9=7 (last candidate), r4c9=5 (only place left in row 4)".
    """
    names, words = reasons.names, reasons.names.words
    shown = _consequences(trail, end, reasons)
    n_left = len(shown) - _FIRST - _LAST if len(shown) > _MOST else 0
    if n_left:
        first = [_consequence(literal, trail, reasons) for literal in shown[:_FIRST]]
        last = [_consequence(literal, trail, reasons) for literal in shown[-_LAST:]]
        facts = [*first, words.count("list.more", n_left), *last]
    else:
        facts = [_consequence(literal, trail, reasons) for literal in shown]
    if end in trail.parents and _needs_reason(end, trail, reasons):
        facts.append(_consequence(end, trail, reasons))
    cell, digit, is_on = trail.start
    key = f"trail.{_truth(is_on)}"
    start = {"cell": names.cell(cell), "digit": names.symbols[digit]}
    if not facts:
        return words(f"{key}_at_once", **start)
    return words(key, facts=words("list.comma").join(facts), **start)


def _consequences(trail: Trail, end: Literal, reasons: Reasons) -> list[Literal]:
    """Return the consequences to list, without those about the candidate at the end."""
    return [
        literal
        for literal, parents in trail.parents.items()
        if literal[2] or len(parents) > 1 or reasons.by_rule(literal, parents)
        if literal[:2] != end[:2]
    ]


def _needs_reason(end: Literal, trail: Trail, reasons: Reasons) -> bool:
    """Return True if the end is listed with its reason, although the conclusion states it."""
    if end[2]:
        return trail.start != end and not _clashes(end, trail)
    return bool(reasons.by_rule(end, trail.parents.get(end, ())))


def _consequence(literal: Literal, trail: Trail, reasons: Reasons) -> str:
    """Return a consequence with its reason, if that is not plain."""
    names, words = reasons.names, reasons.names.words
    cell, digit, is_on = literal
    key = "trail.filled" if is_on else "trail.gone"
    fact = words(key, cell=names.cell(cell), digit=names.symbols[digit])
    why = reasons.of(literal, trail.parents[literal])
    return words("trail.because", fact=fact, why=why) if why else fact
