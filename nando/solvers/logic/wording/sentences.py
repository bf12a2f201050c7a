"""Steps in words, with one function for each family of techniques.

A function chooses the pattern that describes a step and fills in its fields. The sentences and
their grammar are in the TOML file of each language.
"""

from collections.abc import Callable, Sequence

from nando.puzzles import Sudoku
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.language import Explanation, Words
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.step_pattern import closes, strong_link_ends
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording import rule_sentences as rules
from nando.solvers.logic.wording import unique
from nando.solvers.logic.wording.chains import chain, forcing
from nando.solvers.logic.wording.families import family_of
from nando.solvers.logic.wording.telling import Telling


def explain(step: LogicStep, marks: PencilMarks, words: Words) -> Explanation:
    """Return a step on a Sudoku or a variant in words; `marks` are those before it."""
    explanation = _SENTENCES[step.technique.kernel](Telling(step, marks, words))
    name = explanation.name or step.technique.name
    family = other_family(step, marks, name)
    own, sought = words.name(name), words.sought(name)
    if family and _replaces(step, family):
        own, sought = words.name(family), words.sought(family)
    elif family:
        short = words.known(f"names.{name}.beside", sought)
        sought = words("both.sought", sought=short, family=words.name(family))
        own = words("both.name", name=own, family=words.name(family))
    question, plain = explanation.question, words.name(name)
    if question[:1].lower() + question[1 : len(plain)] == plain[:1].lower() + plain[1:]:
        question = own[:1].upper() + own[1:] + question[len(plain) :]
    return explanation._replace(name=own, sought=sought, question=question)


def explain_together(told: Sequence[tuple[LogicStep, PencilMarks]], words: Words) -> str:
    """Return why steps of one technique by the rules follow, one after the other.

    Many steps by rules about two cells only name the rules, since their reasons are alike.
    """
    tellings = [Telling(step, marks, words) for step, marks in told]
    kernel = told[0][0].technique.kernel
    if kernel == kernels.RELATION and len(told) > _MOST_TOLD:
        return rules.relations(tellings)
    return " · ".join(_SENTENCES[kernel](telling).why for telling in tellings)


_MOST_TOLD = 3
"""Most steps by rules about two cells that are told each with its own reason."""


def other_family(step: LogicStep, marks: PencilMarks, name: str) -> str:
    """Return the family of a step if it differs from its name, otherwise an empty text."""
    if step.technique.kernel not in _FAMILIES or not isinstance(marks.puzzle, Sudoku):
        return ""
    family = family_of(step, marks).name.partition(":")[0]
    return "" if family in (name, step.technique.name, *_PLAIN) else family


def _replaces(step: LogicStep, family: str) -> bool:
    """Return True if a step is named by its family alone, since its sentence describes a chain."""
    return step.technique.kernel in _CHAIN_KERNELS and family not in _SETS


_CHAIN_KERNELS = (kernels.STRONG_LINKS, kernels.CHAIN)
_FAMILIES = (*_CHAIN_KERNELS, kernels.ALIGNED, kernels.FORCING, kernels.NESTED_FORCING)
_PLAIN = ("AIC", "nice loop")
_SETS = ("ALS-XZ", "sue de coq")


def _hidden_single(telling: Telling) -> Explanation:
    """Explain a hidden single or a full house."""
    if telling.step.technique.degree == 0:
        return telling.express("full_house")
    single = telling.words.name("hidden single")
    return telling.express("hidden_single", name=single)._replace(name="hidden single")


def _direct_locked(telling: Telling) -> Explanation:
    """Explain locked candidates that leave their digit a single place elsewhere."""
    _, crossing, other = map(telling.names.house, telling.step.houses)
    cells = telling.cells_or()
    return telling.express("direct_locked", crossing=crossing, other=other, cells=cells)


def _direct_hidden_subset(telling: Telling) -> Explanation:
    """Explain a hidden subset that leaves another digit a single place."""
    return telling.express("direct_hidden_subset")


def _naked_single(telling: Telling) -> Explanation:
    step, marks = telling.step, telling.marks
    if not isinstance(marks.puzzle, Sudoku):
        return telling.express("variant_single")
    seen = marks.values[marks.puzzle.layout.peers[step.cells[0]]].tolist()
    left = {*range(1, marks.puzzle.size + 1)} - {*seen, *step.digits}
    if left:
        return telling.express("naked_single_after", left=telling.names.digits(left))
    return telling.express("naked_single")


def _locked(telling: Telling) -> Explanation:
    crossing = telling.names.house(telling.step.houses[1])
    return telling.express("locked", crossing=crossing, cells=telling.cells_or())


def _naked_subset(telling: Telling) -> Explanation:
    if not telling.step.houses:
        return telling.express("naked_subset_in_rule", rule=telling.rule())
    inside = set(telling.marks.house(telling.step.houses[0]))
    own = all(cell in inside for cell, _ in telling.step.eliminations)
    return telling.express("naked_subset" if own else "naked_subset_seen")


def _hidden_subset(telling: Telling) -> Explanation:
    """Explain a hidden pair, triplet or quad."""
    cells = telling.words(f"subset_cells.{len(telling.step.cells)}")
    return telling.express("hidden_subset", subset_cells=cells)


def _fish(telling: Telling) -> Explanation:
    """Explain an X-wing, a swordfish or a jellyfish."""
    names, words, houses = telling.names, telling.words, telling.step.houses
    n = len(houses) // 2
    first, second, *_ = telling.marks.house(houses[0])
    return telling.express(
        "fish_of_rows" if second == first + 1 else "fish_of_columns",
        among=names.houses(houses[:n], "among"),
        cover=names.houses(houses[n:]),
        number=words(f"number.{n}"),
        every=words(f"every_line.{n}"),
    )


def _strong_links(telling: Telling) -> Explanation:
    step, marks, names, words = telling.step, telling.marks, telling.names, telling.words
    digit = names.bare(step.digits)
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
    return telling.express(
        "closed_links" if loop else "strong_links",
        among=names.houses(step.houses, "among"),
        places=words("list.comma").join(places),
        joints=words("list.comma").join(joints),
        one=names.group(ends[0][0]),
        other=names.group(ends[-1][1]),
    )


_SENTENCES: dict[int, Callable[[Telling], Explanation]] = {
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
    kernels.WING: unique.wing,
    kernels.LARGE_WING: unique.large_wing,
    kernels.UNIQUE_LOOP: unique.unique_loop,
    kernels.BIVALUE_UNIVERSAL_GRAVE: unique.bivalue_universal_grave,
    kernels.ALIGNED: unique.aligned,
    kernels.CHAIN: chain,
    kernels.FORCING: forcing,
    kernels.NESTED_FORCING: forcing,
    kernels.RELATION: rules.relation,
    kernels.LOCKED: rules.locked,
    kernels.SUM: rules.sums,
    kernels.NEEDED: rules.needed,
    kernels.UNION: rules.union,
    kernels.PATTERN: rules.pattern,
    kernels.WHAT_IF: rules.what_if,
    kernels.DILEMMA: rules.dilemma,
    kernels.DEEP_WHAT_IF: rules.deep_what_if,
    kernels.JOINT: rules.joint,
    kernels.SPLIT: rules.split,
}
