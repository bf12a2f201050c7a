"""The roles of houses, cells and candidates in a step, for words and drawings."""

from collections.abc import Iterator
from itertools import pairwise, product
from typing import NamedTuple

from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.link_sets import CHAIN_X
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep

Cells = tuple[int, ...]
Candidate = tuple[int, int]
"""A cell and a digit, from 1."""

Ends = tuple[tuple[Cells, Cells], ...]
"""Near and far end of each strong link of a chain; an end is a cell or a group of cells."""


class Link(NamedTuple):
    """A link from one candidate (or a group of cells with the same candidate) to another.

    A strong link says that at least one of the two is true, a weak one that not both are. In the
    chain, `start_on` and `end_on` are True for a candidate that is true.
    """

    start: Cells
    start_digit: int
    start_on: bool
    end: Cells
    end_digit: int
    end_on: bool

    @property
    def strong(self) -> bool:
        """True if the link leads from a false candidate to a true one."""
        return self.end_on and not self.start_on


def path_of(step: LogicStep) -> tuple[Candidate, ...] | None:
    """Return the candidates of a chain whose first or last candidate is true.

    The chain is one that starts and ends at the candidate that it removes. Return None for other
    steps, and if the first and last candidate have different digits, if one of them is in the cell
    of the removed candidate, or if the path contains a candidate twice.
    """
    if step.technique.kernel != kernels.CHAIN or step.variant < CHAIN_X or not step.links[0][2]:
        return None
    path = tuple((cell, digit) for _, _, _, cell, digit, _ in step.links[:-1])
    start, digit = step.links[0][:2]
    if start in (path[0][0], path[-1][0]) or len(set(path)) < len(path):
        return None
    if not path[0][1] == path[-1][1] == digit:
        return None
    return path


class Pattern(NamedTuple):
    """The pattern of a step, without its conclusion.

    Attributes
    ----------
    base, cover : tuple of int
        Houses of the pattern, and houses of the conclusion if they differ.
    cells : tuple of int
        Cells of the pattern.
    candidates, extras : frozenset of (cell, digit)
        Candidates that form the pattern, and those of a second kind: the extra candidates of a
        uniqueness pattern, or the false candidates of a chain.
    because : tuple of int
        Filled cells that rule out the other places of a hidden single.
    links : tuple of Link
    """

    base: tuple[int, ...]
    cover: tuple[int, ...]
    cells: Cells
    candidates: frozenset[Candidate]
    extras: frozenset[Candidate]
    because: Cells
    links: tuple[Link, ...]


def pattern_of(step: LogicStep, marks: PencilMarks) -> Pattern:
    """Return the pattern of a step on the marks before it."""
    kernel = step.technique.kernel
    base, cover = _houses(step)
    path = path_of(step)
    cells = tuple(dict.fromkeys(cell for cell, _ in path)) if path else step.cells
    links = links_of(step, marks)
    candidates = {
        (cell, digit)
        for cell in cells
        for digit in step.digits
        if digit in marks.digits(cell) and (cell, digit) != step.placement
    }
    extras: set[Candidate] = set()
    because: Cells = ()
    if kernel == kernels.HIDDEN_SINGLE:
        because = tuple(_seen_from(step, marks))
    elif kernel == kernels.NAKED_SINGLE:
        base = tuple(sorted(marks.houses_of(cells)))
    elif kernel == kernels.UNIQUE_LOOP:
        pair = marks.digits(cells[0])
        extras = {(c, d) for c in cells for d in marks.digits(c) if d not in pair}
        helpers = loop_subset(step, marks)
        cells += helpers
        candidates = {(c, d) for c in step.cells for d in pair}
        candidates |= {(c, d) for c in helpers for d in marks.digits(c) if d in step.digits}
    elif kernel == kernels.ALIGNED:
        candidates = {(c, d) for c in cells for d in marks.digits(c)}
    elif step.links:
        ends = [(link.start, link.start_digit, link.start_on) for link in links]
        ends += [(link.end, link.end_digit, link.end_on) for link in links]
        candidates = {(cell, digit) for group, digit, on in ends if on for cell in group}
        extras = {(cell, digit) for group, digit, on in ends if not on for cell in group}
    return Pattern(
        base,
        cover,
        cells,
        frozenset(candidates - set(step.eliminations)),
        frozenset(extras - candidates - set(step.eliminations)),
        because,
        links,
    )


def _houses(step: LogicStep) -> tuple[tuple[int, ...], tuple[int, ...]]:
    houses = step.houses
    kernel = step.technique.kernel
    if kernel == kernels.FISH:
        return houses[: len(houses) // 2], houses[len(houses) // 2 :]
    if kernel in (
        kernels.POINTING,
        kernels.CLAIMING,
        kernels.DIRECT_POINTING,
        kernels.DIRECT_CLAIMING,
    ):
        return houses[:1] + houses[2:], houses[1:2]
    return houses, ()


def _seen_from(step: LogicStep, marks: PencilMarks) -> Iterator[int]:
    """Yield the filled cells with the digit of a hidden single that see blanks of its house."""
    (house, *_), (digit, *_) = step.houses, step.digits
    blanks = [cell for cell in marks.house(house) if not marks.values[cell]]
    for cell in range(marks.values.size):
        if marks.values[cell] == digit and any(marks.sees(cell, blank) for blank in blanks):
            yield cell


def loop_subset(step: LogicStep, marks: PencilMarks) -> Cells:
    """Return the cells that form a subset with two cells of a unique loop of type 3, else none."""
    if step.variant != 3:
        return ()
    pair = marks.digits(step.cells[0])
    cells = [cell for cell in marks.house(step.houses[0]) if cell not in step.cells]
    if not is_naked_loop(step):
        return tuple(cell for cell in cells if set(marks.digits(cell)) & set(step.digits))
    gone = {cell for cell, _ in step.eliminations}
    return tuple(
        cell
        for cell in cells
        if (theirs := set(marks.digits(cell))) and theirs <= set(step.digits)
        if cell not in gone and theirs != set(pair)
    )


def is_naked_loop(step: LogicStep) -> bool:
    """Return True if the subset of a unique loop of type 3 is naked: its own digits are removed."""
    return all(digit in step.digits for _, digit in step.eliminations)


def links_of(step: LogicStep, marks: PencilMarks) -> tuple[Link, ...]:
    """Return the links to be drawn: those of a chain, and of the patterns that are short chains."""
    if step.links:
        # The candidate that is removed is not part of a chain with a true end.
        kept = step.links[1:-1] if path_of(step) else step.links
        return tuple(Link((a,), b, bool(c), (d,), e, bool(f)) for a, b, c, d, e, f in kept)
    if step.technique.kernel == kernels.STRONG_LINKS:
        digit = step.digits[0]
        links = []
        ends = strong_link_ends(step, marks)
        for (near, far), (after, _) in zip(ends, [*ends[1:], ends[0]], strict=True):
            links.append(Link(near, digit, False, far, digit, True))
            links.append(Link(far, digit, True, after, digit, False))
        return tuple(links if closes(ends, marks) else links[:-1])
    if step.technique.kernel == kernels.WING:
        pivot, *pincers = step.cells
        shared = step.eliminations[0][1]
        return tuple(
            Link((pivot,), digit, True, (pincer,), digit, False)
            for pincer in pincers
            for digit in marks.digits(pincer)
            if digit != shared
        )
    return ()


def closes(ends: Ends, marks: PencilMarks) -> bool:
    """Return True if the outer ends of strong links share a house, so that the chain is a loop."""
    return bool(marks.houses_of(ends[0][0] + ends[-1][1]))


def strong_link_ends(step: LogicStep, marks: PencilMarks) -> Ends:
    """Return the ends of each strong link, in the order of the chain.

    The step lists the houses in this order. The places in each house are split into a near and a
    far end in such a way that each far end shares a house with the next near end.
    """
    digit = step.digits[0]
    gone = [cell for cell, _ in step.eliminations]
    chains = [
        chain
        for chain in product(*(splits(marks, house, digit) for house in step.houses))
        if all(marks.houses_of(far + near) for (_, far), (near, _) in pairwise(chain))
    ]

    def seen(cell: int, ends: Cells) -> bool:
        return all(marks.sees(cell, end) for end in ends)

    def fits(chain: Ends) -> bool:
        outer = chain[0][0] + chain[-1][1]
        if all(seen(cell, outer) for cell in gone):
            return True
        after = [*chain[1:], chain[0]]
        joints = [far + near for (_, far), (near, _) in zip(chain, after, strict=True)]
        return closes(chain, marks) and all(
            any(seen(cell, joint) for joint in joints) for cell in gone
        )

    return next(chain for chain in chains if fits(chain))


def splits(marks: PencilMarks, house: int, digit: int) -> Iterator[tuple[Cells, Cells]]:
    """Yield the ways to split the places of a digit into two groups, each inside another house."""
    places = marks.places(house, digit)
    within: dict[int, list[int]] = {}
    for cell in places:
        for other in marks.houses_of((cell,)) - {house}:
            within.setdefault(other, []).append(cell)
    seen = set()
    for _, cells in sorted(within.items()):
        near = tuple(cells)
        far = tuple(cell for cell in places if cell not in near)
        if far and (len(far) == 1 or marks.houses_of(far) - {house}):
            for split in ((near, far), (far, near)):
                if split not in seen:
                    seen.add(split)
                    yield split
