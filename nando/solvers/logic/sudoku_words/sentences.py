"""Steps in words, with one function for each family of techniques.

A function chooses the pattern that describes a step and fills in its fields. The sentences and
their grammar are in the TOML file of each language.
"""

from collections.abc import Callable

from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.language import Words
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import closes, strong_link_ends
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku_words.chains import chain, forcing
from nando.solvers.logic.sudoku_words.families import family_of
from nando.solvers.logic.sudoku_words.names import StepNames, bare
from nando.solvers.logic.sudoku_words.unique import bivalue_universal_grave, unique_loop
from nando.solvers.logic.sudoku_words.wings import aligned, large_wing, wing


def explain(step: LogicStep, marks: PencilMarks, words: Words) -> Explanation:
    """Return a step in words; `marks` are those before it."""
    found = _SENTENCES[step.technique.kernel](StepNames(step, marks, words))
    name = found.name or step.technique.name
    family = other_family(step, marks, name)
    own = words.name(name)
    sought = words.known(f"names.{name}.sought", "")
    if family and _replaces(step, family):
        own, sought = words.name(family), words.known(f"names.{family}.sought", "")
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


def _hidden_single(names: StepNames) -> Explanation:
    if names.step.technique.degree:
        single = names.words.name("hidden single")
        return names.worded("hidden_single", name=single)._replace(name="hidden single")
    return names.worded("full_house")


def _naked_single(names: StepNames) -> Explanation:
    step, marks = names.step, names.marks
    peers = marks.puzzle.layout.peers[step.cells[0]]
    others = set(range(1, marks.puzzle.size + 1)) - set(step.digits)
    left = others - set(marks.values[peers].tolist())
    if left:
        return names.worded("naked_single_after", left=names.digits(left))
    return names.worded("naked_single")


# Locked candidates


def _locked(names: StepNames) -> Explanation:
    house, crossing, *other = map(names.house, names.step.houses)
    cells = names.cells(names.step.cells, "or")
    if other:
        return names.worded("direct_locked", crossing=crossing, other=other[0], cells=cells)
    return names.worded("locked", house=house, crossing=crossing, cells=cells)


# Subsets


def _hidden_subset(names: StepNames) -> Explanation:
    subset_cells = names.words(f"subset_cells.{len(names.step.cells)}")
    return names.worded("hidden_subset", subset_cells=subset_cells)


def _fish(names: StepNames) -> Explanation:
    houses = names.step.houses
    n = len(houses) // 2
    return names.worded(
        "fish_of_rows" if houses[0] < names.puzzle.size else "fish_of_columns",
        among=names.houses(houses[:n], "among"),
        cover=names.houses(houses[n:]),
        number=names.words(f"number.{n}"),
        every=names.words(f"every_line.{n}"),
    )


# Strong links


def _strong_links(names: StepNames) -> Explanation:
    step, marks, words = names.step, names.marks, names.words
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
    return names.worded(
        "closed_links" if loop else "strong_links",
        among=names.houses(step.houses, "among"),
        places=words("list.comma").join(places),
        joints=words("list.comma").join(joints),
        one=names.group(ends[0][0]),
        other=names.group(ends[-1][1]),
    )


_SENTENCES: dict[int, Callable[[StepNames], Explanation]] = {
    kernels.HIDDEN_SINGLE: _hidden_single,
    kernels.DIRECT_POINTING: _locked,
    kernels.DIRECT_CLAIMING: _locked,
    kernels.DIRECT_HIDDEN_SUBSET: lambda names: names.worded("direct_hidden_subset"),
    kernels.NAKED_SINGLE: _naked_single,
    kernels.POINTING: _locked,
    kernels.CLAIMING: _locked,
    kernels.NAKED_SUBSET: lambda names: names.worded("naked_subset"),
    kernels.HIDDEN_SUBSET: _hidden_subset,
    kernels.FISH: _fish,
    kernels.STRONG_LINKS: _strong_links,
    kernels.WING: wing,
    kernels.LARGE_WING: large_wing,
    kernels.UNIQUE_LOOP: unique_loop,
    kernels.BIVALUE_UNIVERSAL_GRAVE: bivalue_universal_grave,
    kernels.ALIGNED: aligned,
    kernels.CHAIN: chain,
    kernels.FORCING: forcing,
    kernels.NESTED_FORCING: forcing,
}
