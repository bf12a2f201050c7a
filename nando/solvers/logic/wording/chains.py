"""Chains in words: the assumption, what becomes true, and the conclusion.

The text lists what becomes true, in order and with the reason: it is the last candidate of its
cell, or the only place of its digit in a house, once those before it are filled in. It lists what
becomes false only if the cells alone do not show it, or if it follows from a rule of a variant.
"""

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.step import LogicStep
from nando.solvers.logic.sudoku.pattern import Candidate, Literal, Trail, path_of, trails
from nando.solvers.logic.sudoku_chains.links import CHAIN_X, CHAIN_XY, CYCLE_X, CYCLE_XY, CYCLE_Y
from nando.solvers.logic.sudoku_chains.starts import (
    CELLS_FORCE,
    CONTRADICTION,
    DOUBLE,
    HOUSE_FORCES,
)
from nando.solvers.logic.wording.family_chains import is_w_wing
from nando.solvers.logic.wording.names import Names, bare
from nando.solvers.logic.wording.reasons import AnyReasons, fact_of, spoken_trails
from nando.solvers.logic.wording.telling import AnyTelling

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


def chain(telling: AnyTelling) -> Explanation:
    """Explain a cycle, or a chain whose end contradicts its start."""
    step, names, words, reasons = telling.step, telling.names, telling.words, telling.reasons
    start: Literal = step.links[0][:3]
    own = {"name": words.name(_NAMES[step.variant])}
    if step.variant in _CYCLES:
        nodes = [link[:2] for link in step.links]
        for key, half in (("one", nodes[::2]), ("other", nodes[1::2])):
            own[key] = words.listed(fact_of((*node, True), names) for node in half)
        explanation = _from(start, telling, _CYCLES[step.variant], **own)
    elif (path := path_of(step)) is not None:
        explanation = _with_true_end(path, telling, reasons, own)
    else:
        (trail,) = trails(step)
        own["trail"] = _trail_text(trail, _opposite(start), reasons)
        explanation = _from(start, telling, f"chain_from_{_truth(start[2])}", **own)
    return explanation._replace(name=_NAMES[step.variant])


def _from(
    start: Candidate | Literal, telling: AnyTelling, pattern: str, why: str = "why", **own: str
) -> Explanation:
    """Explain a chain from a candidate in the words of a pattern."""
    cell, digit, *_ = start
    names = telling.names
    fields = {
        "house": names.house(telling.house_of(cell)),
        "cell": names.cell(cell),
        "digit": SYMBOLS[digit],
    }
    return telling.worded(pattern, why, **{**fields, **own})


def _with_true_end(
    path: tuple[Candidate, ...], telling: AnyTelling, reasons: AnyReasons, own: dict[str, str]
) -> Explanation:
    """Explain a chain whose first or last candidate is true."""
    marks, names = telling.marks, telling.names
    own["last"] = names.cell(path[-1][0])
    if not is_w_wing(path, marks):
        (trail,) = spoken_trails(telling.step)
        own["trail"] = _trail_text(trail, (*path[-1], True), reasons)
        return _from(path[0], telling, "chain_ends", **own)
    near, far = path[2][0], path[3][0]
    joint, pair = path[1][1], marks.digits(path[0][0])
    link = next(
        h for h in sorted(marks.houses_of((near, far))) if {*marks.places(h, joint)} == {near, far}
    )
    own |= {
        "pair": bare(pair),
        "either": names.digits(pair, "or"),
        "link": names.house(link),
        "joint": SYMBOLS[joint],
        "the_joint": names.the(joint),
        "near": names.cell(near),
        "far": names.cell(far),
    }
    return _from(path[0], telling, "w_wing", **own)


def forcing(telling: AnyTelling) -> Explanation:
    """Explain chains from several assumptions, one of which holds, or to a contradiction."""
    step, marks, names, words = telling.step, telling.marks, telling.names, telling.words
    reasons, all_trails = telling.reasons, trails(step)
    cell, digit, is_on = start = all_trails[0].start
    if step.variant == CONTRADICTION:
        (trail,) = all_trails
        clash = next(end for end in [start, *trail.parents] if end[2] and _clashes(end, trail))
        off = trail.parents.get(_opposite(clash), [])
        own = {"trail": _trail_text(trail, clash, reasons), "clash": _clash(clash, off, names)}
        return _from(start, telling, f"contradiction_from_{_truth(is_on)}", **own)
    own = {}
    if step.variant == HOUSE_FORCES:
        (digit,) = {trail.start[1] for trail in all_trails}
        pattern = "forcing_house"
        own = {"house": names.house(step.houses[0]), "the_digit": names.the(digit)}
        sources: list[Literal] = [
            (place, digit, True) for place in marks.places(step.houses[0], digit)
        ]
    elif step.variant == CELLS_FORCE:
        inside = marks.digits(cell)
        pattern = "forcing_cell"
        own = {"digits": bare(inside), "each": names.digits(inside, "or")}
        sources = [(cell, candidate, True) for candidate in inside]
    else:
        assert step.variant == DOUBLE
        pattern = "forcing_double"
        sources = [(cell, digit, True), (cell, digit, False)]
    target = _target(all_trails, step)
    by_start = {trail.start: trail for trail in all_trails}
    parts = [
        _trail_text(by_start.get(source, Trail(source, {})), target, reasons) for source in sources
    ]
    own |= {"trails": words("list.semicolon").join(parts), "fact": fact_of(target, names)}
    return _from(start, telling, pattern, f"why.{_truth(target[2])}", **own)


def _opposite(literal: Literal) -> Literal:
    return (*literal[:2], not literal[2])


def _truth(is_on: bool) -> str:
    return "true" if is_on else "false"


def _clashes(literal: Literal, trail: Trail) -> bool:
    """Return True if the opposite of a literal follows as well."""
    return _opposite(literal) in trail.parents or _opposite(literal) == trail.start


def _clash(clash: Literal, off: list[Literal], names: Names) -> str:
    """Return why a candidate that must be true cannot be."""
    words, (cell, digit, _) = names.words, clash
    if len(off) == 1 and off[0][0] == cell:
        both = names.digits((off[0][1], digit))
        return words("clash.cell", cell=names.cell(cell), digits=both)
    if len(off) == 1 and off[0][1] == digit:
        both = names.cells((off[0][0], cell))
        return words("clash.digit", cells=both, digit=SYMBOLS[digit])
    return words("clash.other", cell=names.cell(cell), digit=SYMBOLS[digit])


def _target(all_trails: list[Trail], step: LogicStep) -> Literal:
    """Return the common end of all chains: the candidate removed, or the one that removes it."""
    cell, digit = step.eliminations[0]
    common = set.intersection(*({trail.start, *trail.parents} for trail in all_trails))
    if (cell, digit, False) in common:
        return cell, digit, False
    return next(literal for literal in common if literal[0] == cell and literal[2])


def _trail_text(trail: Trail, end: Literal, reasons: AnyReasons) -> str:
    """Return an assumption and its consequences, each with its reason.

    For example "if r1c1 is 5, then r1c9=7 (last candidate), r4c9=5 (only place left in row 4)".
    """
    names, words = reasons.names, reasons.names.words

    def entailed(literal: Literal) -> str:
        cell, digit, is_on = literal
        fact = words(
            "trail.filled" if is_on else "trail.gone", cell=names.cell(cell), digit=SYMBOLS[digit]
        )
        why = reasons.of(literal, trail.parents[literal])
        return words("trail.because", fact=fact, why=why) if why else fact

    shown = [
        literal
        for literal, parents in trail.parents.items()
        if literal[2] or len(parents) > 1 or reasons.by_rule(literal, parents)
        if literal[:2] != end[:2]
    ]
    left_out = len(shown) - _FIRST - _LAST if len(shown) > _MOST else 0
    facts = [entailed(literal) for literal in (shown[:_FIRST] if left_out else shown)]
    if left_out:
        facts.append(words.count("list.more", left_out))
        facts += [entailed(literal) for literal in shown[-_LAST:]]
    ends_with_reason = trail.start != end and not _clashes(end, trail)
    if not end[2]:
        ends_with_reason = bool(reasons.by_rule(end, trail.parents.get(end, ())))
    if ends_with_reason and end in trail.parents:
        facts.append(entailed(end))
    cell, digit, is_on = trail.start
    key = f"trail.{_truth(is_on)}"
    start = {"cell": names.cell(cell), "digit": SYMBOLS[digit]}
    if not facts:
        return words(f"{key}_at_once", **start)
    return words(key, facts=words("list.comma").join(facts), **start)
