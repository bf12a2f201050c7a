"""Steps in words, with one function for each family of techniques.

A function chooses the pattern that describes a step and fills in its fields. The sentences and
their grammar are in the TOML file of each language.
"""

from collections.abc import Callable

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation, worded
from nando.solvers.logic.language import Words
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import closes, strong_link_ends
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku_words.chains import chain, forcing
from nando.solvers.logic.sudoku_words.families import family_of
from nando.solvers.logic.sudoku_words.names import Names, bare
from nando.solvers.logic.sudoku_words.reasons import Reasons
from nando.solvers.logic.sudoku_words.unique import bivalue_universal_grave, unique_loop
from nando.solvers.logic.sudoku_words.wings import aligned, large_wing, wing


def explain(step: LogicStep, marks: PencilMarks, words: Words) -> Explanation:
    """Return a step in words; `marks` are those before it."""
    tell = _SENTENCES.get(step.technique.kernel, _plain)
    found = tell(step, marks, Names(words, marks.puzzle))
    name = found.name or step.technique.name
    family = other_family(step, marks, name)
    own, sought = words.name(name), words.sought(name)
    if family and _replaces(step, family):
        own, sought = words.name(family), words.sought(family)
    elif family:
        beside = words.known(f"names.{name}.beside", sought)
        sought = words("both.sought", sought=beside, family=words.name(family))
        own = words("both.name", name=own, family=words.name(family))
    question, plain = found.question, words.name(name)
    if question[:1].lower() + question[1 : len(plain)] == plain[:1].lower() + plain[1:]:
        question = own[:1].upper() + own[1:] + question[len(plain) :]
    return found._replace(name=own, sought=sought, question=question)


def other_family(step: LogicStep, marks: PencilMarks, name: str) -> str:
    """Return the family of a step where it is another than its name says; otherwise empty."""
    if step.technique.kernel not in _FAMILIES:
        return ""
    family = family_of(step, marks).name.partition(":")[0]
    return "" if family in (name, step.technique.name, *_PLAIN) else family


def _replaces(step: LogicStep, family: str) -> bool:
    """Return True if the family alone names a step: the sentence describes it as a chain."""
    return step.technique.kernel in _TOLD_AS_CHAINS and family not in _SETS


_TOLD_AS_CHAINS = (kernels.STRONG_LINKS, kernels.CHAIN)
_FAMILIES = (*_TOLD_AS_CHAINS, kernels.ALIGNED, kernels.FORCING, kernels.NESTED_FORCING)
_PLAIN = ("AIC", "nice loop")
_SETS = ("ALS-XZ", "sue de coq")


# Singles


def _hidden_single(step: LogicStep, _marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    pattern, name = "hidden_single", "hidden single"
    if step.technique.degree == 0:
        pattern, name = "full_house", step.technique.name
    (digit,) = step.digits
    return worded(
        words,
        pattern,
        house=names.house(step.houses[0]),
        the_digit=names.the(digit),
        digit=SYMBOLS[digit],
        cell=names.cells(step.cells),
        name=words.name(name),
    )._replace(name=name)


def _naked_single(step: LogicStep, marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    layout, size = marks.puzzle.layout, marks.puzzle.size
    seen = {int(marks.values[peer]) for peer in layout.peers[step.cells[0]]} - {0}
    left = set(range(1, size + 1)) - seen - set(step.digits)
    return worded(
        words,
        "naked_single_after" if left else "naked_single",
        house=names.house(max(marks.houses_of(step.cells))),
        cell=names.cells(step.cells),
        digit=bare(step.digits),
        left=names.digits(left) if left else "",
        name=words.name(step.technique.name),
    )


# Locked candidates


def _locked(step: LogicStep, _marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    inside, crossing = map(names.house, step.houses)
    (digit,) = step.digits
    return worded(
        words,
        "locked",
        house=inside,
        crossing=crossing,
        the_digit=names.the(digit),
        digit=SYMBOLS[digit],
        cells=names.cells(step.cells, "or"),
        gone=names.gone(step.eliminations),
        name=words.name(step.technique.name),
    )


def _direct_locked(step: LogicStep, _marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    inside, crossing, other = map(names.house, step.houses)
    assert step.placement is not None
    (digit,) = step.digits
    return worded(
        words,
        "direct_locked",
        house=inside,
        crossing=crossing,
        other=other,
        the_digit=names.the(digit),
        cells=names.cells(step.cells, "or"),
        cell=names.cell(step.placement[0]),
        name=words.name(step.technique.name),
    )


# Subsets


def _direct_hidden_subset(step: LogicStep, _marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    assert step.placement is not None
    cell, digit = step.placement
    return worded(
        words,
        "direct_hidden_subset",
        house=names.house(step.houses[0]),
        digits=bare(step.digits),
        cells=names.cells(step.cells),
        the_digit=names.the(digit),
        cell=names.cell(cell),
    )


def _naked_subset(step: LogicStep, _marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    return worded(
        words,
        "naked_subset",
        house=names.house(step.houses[0]),
        digits=bare(step.digits),
        cells=names.cells(step.cells),
        either=names.digits(step.digits, "or"),
        gone=names.gone(step.eliminations),
    )


def _hidden_subset(step: LogicStep, _marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    return worded(
        words,
        "hidden_subset",
        house=names.house(step.houses[0]),
        digits=bare(step.digits),
        cells=names.cells(step.cells),
        subset_cells=words(f"subset_cells.{len(step.cells)}"),
        gone=names.gone(step.eliminations),
    )


def _fish(step: LogicStep, marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    n = len(step.houses) // 2
    base, cover = step.houses[:n], step.houses[n:]
    (digit,) = step.digits
    return worded(
        words,
        "fish_of_rows" if base[0] < marks.puzzle.size else "fish_of_columns",
        digit=SYMBOLS[digit],
        the_digit=names.the(digit),
        among=names.houses(base, "among"),
        cover=names.houses(cover),
        number=words(f"number.{n}"),
        every=words(f"every_line.{n}"),
        gone=names.gone(step.eliminations),
    )


# Strong links


def _strong_links(step: LogicStep, marks: PencilMarks, names: Names) -> Explanation:
    words = names.words
    digit = bare(step.digits)
    ends = strong_link_ends(step, marks)
    places = [
        words(
            f"strong_links.place.{'next' if i else 'first'}",
            house=names.house(number),
            digit=digit,
            near=names.group(near),
            far=names.group(far),
        )
        for i, (number, (near, far)) in enumerate(zip(step.houses, ends, strict=True))
    ]
    loop = closes(ends, marks)
    after = [*ends[1:], ends[0]] if loop else ends[1:]
    joints = [
        words(
            f"strong_links.joint.{'next' if i else 'first'}",
            far=names.group(far),
            near=names.group(near),
            digit=digit,
            house=names.house(min(marks.houses_of(far + near))),
        )
        for i, ((_, far), (near, _)) in enumerate(zip(ends, after, strict=False))
    ]
    return worded(
        words,
        "closed_links" if loop else "strong_links",
        house=names.house(step.houses[0]),
        digit=digit,
        among=names.houses(step.houses, "among"),
        places=words("list.comma").join(places),
        joints=words("list.comma").join(joints),
        one=names.group(ends[0][0]),
        other=names.group(ends[-1][1]),
        gone=names.gone(step.eliminations),
    )


def _chain(step: LogicStep, marks: PencilMarks, names: Names) -> Explanation:
    return chain(step, marks, Reasons(step, marks, names))


def _forcing(step: LogicStep, marks: PencilMarks, names: Names) -> Explanation:
    return forcing(step, marks, Reasons(step, marks, names))


def _plain(step: LogicStep, marks: PencilMarks, names: Names) -> Explanation:
    """Return any other technique: what it removes and places."""
    words = names.words
    cell, digit = step.placement or (0, 0)
    why = "both" if step.placement and step.eliminations else "placed" if step.placement else "gone"
    found = worded(
        words,
        "plain",
        f"why.{why}",
        house=names.house(max(marks.houses_of(step.cells[:1]))) if step.cells else "",
        cells=names.cells(step.cells) if step.cells else "",
        cell=names.cell(cell),
        digit=SYMBOLS[digit],
        gone=names.gone(step.eliminations) if step.eliminations else "",
    )
    return found if step.cells else found._replace(where="", what="")


_SENTENCES: dict[int, Callable[[LogicStep, PencilMarks, Names], Explanation]] = {
    kernels.HIDDEN_SINGLE: _hidden_single,
    kernels.DIRECT_POINTING: _direct_locked,
    kernels.DIRECT_CLAIMING: _direct_locked,
    kernels.DIRECT_HIDDEN_SUBSET: _direct_hidden_subset,
    kernels.NAKED_SINGLE: _naked_single,
    kernels.POINTING: _locked,
    kernels.CLAIMING: _locked,
    kernels.NAKED_SUBSET: _naked_subset,
    kernels.HIDDEN_SUBSET: _hidden_subset,
    kernels.FISH: _fish,
    kernels.STRONG_LINKS: _strong_links,
    kernels.WING: wing,
    kernels.LARGE_WING: large_wing,
    kernels.UNIQUE_LOOP: unique_loop,
    kernels.BIVALUE_UNIVERSAL_GRAVE: bivalue_universal_grave,
    kernels.ALIGNED: aligned,
    kernels.CHAIN: _chain,
    kernels.FORCING: _forcing,
    kernels.NESTED_FORCING: _forcing,
}
