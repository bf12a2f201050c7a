"""Steps on a Nurikabe in words, one sentence for each technique, and as plain values.

Each says where to look, what the pattern is, and what follows.
"""

from collections.abc import Callable, Iterable
from typing import Any

from nando.puzzles.nurikabe.puzzle import BLACK, WHITE, Nurikabe
from nando.solvers.logic.explanation import Explanation, listed
from nando.solvers.logic.nurikabe import ladder as kernels
from nando.solvers.logic.nurikabe.pattern import place_of
from nando.solvers.logic.nurikabe.shading import Shading
from nando.solvers.logic.nurikabe.step import NurikabeStep

_COLOURS = {WHITE: "white", BLACK: "black"}

_MOST_NAMED = 8
"""Cells of a list that are named before it ends with a number."""


def explain(step: NurikabeStep, shading: Shading) -> Explanation:
    """A step in words; `shading` is the board before it."""
    what, why, *question = _SENTENCES[step.technique.kernel](step, shading)
    return Explanation(
        _where(step, shading),
        what,
        why,
        sought=_SOUGHT.get(step.technique.name, ""),
        question=question[0] if question else "",
    )


def record(step: NurikabeStep, shading: Shading) -> dict[str, Any]:
    """The pattern and the conclusion; cells and colours by name."""
    name = shading.puzzle.cell_name
    return {
        "cells": [name(cell) for cell in step.cells],
        "colour": _COLOURS[step.colour],
        "reason": [name(cell) for cell in step.reason],
        "supposed": [[name(cell), _COLOURS[colour]] for cell, colour in step.supposed],
        "contradiction": step.contradiction,
    }


def _where(step: NurikabeStep, shading: Shading) -> str:
    place = place_of(step, shading)
    if not place:
        return "on the whole board"
    numbered = shading.numbers_in(step.reason)
    if numbered:
        return f"at {_number(shading.puzzle, numbered[0])}"
    return f"in row {place[0] // shading.puzzle.shape[1] + 1}"


_SOUGHT = {
    "between numbers": "a cell between numbers",
    "between islands": "a cell between islands",
    "total": "a total that is reached",
    "island too large": "a cell that would make an island too large",
    "cut off from the river": "cells cut off from the river",
    "unreachable": "cells that no island can get to",
    "unreachable by pledge": "cells that no island can get to, given which white cells are whose,",
    "only room left": "an island with only room left",
    "stranded cells": "white cells with one way to a number",
    "only breaker of a block": "a block that one island alone can break",
    "river too short": "a cell that the river needs to be long enough",
    "counted blocks": "as many 2x2 blocks as white cells are left",
}
"""What a hint says where it is not the name of the technique with an article."""


def _cells(puzzle: Nurikabe, numbers: Iterable[int]) -> str:
    """Cells as a list in a sentence, cut where it is long."""
    names = [puzzle.cell_name(cell) for cell in numbers]
    more = len(names) - _MOST_NAMED
    return listed(names if more <= 0 else [*names[:_MOST_NAMED], f"{more} more"])


def _number(puzzle: Nurikabe, cell: int) -> str:
    number = int(puzzle.numbers[cell])
    return f"the {'?' if number < 0 else number} at {puzzle.cell_name(cell)}"


def _found(step: NurikabeStep, shading: Shading) -> str:
    verb = "is" if len(step.cells) == 1 else "are"
    return f"{_cells(shading.puzzle, step.cells)} {verb} {_COLOURS[step.colour]}"


def _island(step: NurikabeStep, shading: Shading) -> tuple[int, str, int, int]:
    """Cell, name, wanted and found cells of the island that a reason begins with."""
    start = shading.numbers_in(step.reason)[0]
    number = int(shading.puzzle.numbers[start])
    return start, _number(shading.puzzle, start), number, len(shading.island(start))


Words = tuple[str, ...]
"""What comes after the name, why, and perhaps a question."""


def _between(step: NurikabeStep, shading: Shading) -> Words:
    one, two = (_number(shading.puzzle, c) for c in shading.numbers_in(step.reason)[:2])
    cell = _cells(shading.puzzle, step.cells)
    return (
        f"at {cell}",
        f"white, it would join the islands of {one} and {two}, so it is black",
    )


def _complete(step: NurikabeStep, shading: Shading) -> Words:
    _, name, wanted, _ = _island(step, shading)
    has = "a 1 has no other cell" if wanted == 1 else f"it has all its {wanted} cells"
    return (f"at {name}" if wanted == 1 else f"of {name}", f"{has}, so {_found(step, shading)}")


def _pool(step: NurikabeStep, shading: Shading) -> Words:
    three = _cells(shading.puzzle, step.reason)
    return (
        f"at {three}",
        f"no 2x2 block may be all black, so the fourth cell, "
        f"{_cells(shading.puzzle, step.cells)}, is white",
    )


def _river_liberty(step: NurikabeStep, shading: Shading) -> Words:
    return (
        f"at {_cells(shading.puzzle, sorted(step.reason))}",
        f"this part has one way to the rest of the river, so {_found(step, shading)}",
    )


def _island_liberty(step: NurikabeStep, shading: Shading) -> Words:
    if not shading.numbers_in(step.reason):
        one = len(step.reason) == 1
        return (
            f"at {_cells(shading.puzzle, sorted(step.reason))}",
            f"{'this white cell has' if one else 'these white cells have'} no number yet and one "
            f"way to one, so {_found(step, shading)}",
        )
    _, name, wanted, n_found = _island(step, shading)
    has = f"it has {n_found} of its {wanted} cells and" if wanted > 0 else "it has"
    return f"at {name}", f"{has} one way to grow, so {_found(step, shading)}"


def _oversize(step: NurikabeStep, shading: Shading) -> Words:
    cell = _cells(shading.puzzle, step.cells)
    size = len(set(step.reason)) + 1
    numbered = shading.numbers_in(step.reason)
    if numbered:
        would = f"would give {_number(shading.puzzle, numbered[0])} {size} cells"
    else:
        would = f"would make an island of {size} cells, more than any number left"
    return f"at {cell}", f"white, it {would}, so it is black"


def _shared_liberty(step: NurikabeStep, shading: Shading) -> Words:
    _, name, *_ = _island(step, shading)
    return (
        f"of {name}",
        f"it lacks one cell, and {_cells(shading.puzzle, step.cells)} touches every place for it, "
        f"so {_found(step, shading)}",
    )


def _total(step: NurikabeStep, shading: Shading) -> Words:
    found = f"{shading.n_white} white cells"
    if step.colour == WHITE:
        found = f"{int((shading.values == BLACK).sum())} cells of the river"
    return "", f"all {found} are found, so {_found(step, shading)}", f"Total: count the {found}."


def _enclosed(step: NurikabeStep, shading: Shading) -> Words:
    return (
        "",
        f"white cells part them from the river, so {_found(step, shading)}",
        "Cut off from the river: which open cells can no river get to?",
    )


def _unreachable(step: NurikabeStep, shading: Shading) -> Words:
    question = "Unreachable: which open cells can no island get to?"
    if not step.reason:
        why = f"no island is large enough to get there, so {_found(step, shading)}"
        return "", why, question
    pledged = _cells(shading.puzzle, sorted(step.reason))
    return (
        "",
        f"one island alone can get to {pledged}; with {'it' if len(step.reason) == 1 else 'them'} "
        f"no island is large enough for the rest, so {_found(step, shading)}",
        f"Unreachable by pledge: which island gets to {pledged}, and what is left to it?",
    )


def _river_bottleneck(step: NurikabeStep, shading: Shading) -> Words:
    cell = _cells(shading.puzzle, step.cells)
    if step.reason:
        parted = _cells(shading.puzzle, sorted(step.reason))
        return f"at {cell}", f"white, it would part {parted} from the river, so it is black"
    return (
        f"at {cell}",
        "white, it would leave the river too little room for all its cells, so it is black",
    )


def _filled_reach(step: NurikabeStep, shading: Shading) -> Words:
    _, name, wanted, _ = _island(step, shading)
    return f"for {name}", f"it has room for just its {wanted} cells, so {_found(step, shading)}"


def _island_bottleneck(step: NurikabeStep, shading: Shading) -> Words:
    start, name, wanted, _ = _island(step, shading)
    whole = set(shading.island(start))
    pledged = sorted(set(step.reason) - whole)
    needs = f"all its {wanted} cells" if wanted > 0 else "its white cells"
    if pledged:
        needs = f"{_cells(shading.puzzle, pledged)}, which no other island can get to, and {needs}"
    cell = _cells(shading.puzzle, step.cells)
    return f"of {name}", f"without {cell} it could not have {needs}, so {_found(step, shading)}"


def _stranded(step: NurikabeStep, shading: Shading) -> Words:
    here = _cells(shading.puzzle, sorted(step.reason))
    cell = _cells(shading.puzzle, step.cells)
    return f"at {here}", f"without {cell} no number could get there, so {_found(step, shading)}"


def _block_breaker(step: NurikabeStep, shading: Shading) -> Words:
    _, name, *_ = _island(step, shading)
    block = shading.puzzle.cell_name(step.reason[-4])
    cell = _cells(shading.puzzle, step.cells)
    return (
        f"for {name}",
        f"no other island can keep the 2x2 block from {block} on from being all black, and this "
        f"one only by way of {cell}, so {_found(step, shading)}",
    )


def _block_count(step: NurikabeStep, shading: Shading) -> Words:
    n_blocks = len(step.reason) // 4
    return (
        "",
        f"{n_blocks} white cells are left, and {n_blocks} 2x2 blocks side by side need one each, "
        f"so {_found(step, shading)}",
        f"Counted blocks: where do {n_blocks} blocks without white lie side by side?",
    )


def _what_if(step: NurikabeStep, shading: Shading) -> Words:
    puzzle = shading.puzzle
    (cell, colour), *way = step.supposed
    named = puzzle.cell_name(cell)
    entailed = [f"{puzzle.cell_name(c)} {_COLOURS[k]}" for c, k in way]
    more = len(entailed) - _MOST_NAMED
    if more > 0:
        entailed = [*entailed[:_MOST_NAMED], f"{more} more"]
    then = f", then {listed(entailed)}" if entailed else ""
    return (
        f"on {named}",
        f"if it were {_COLOURS[colour]}{then}: {step.contradiction}; so {_found(step, shading)}",
        f"What follows if {named} were {_COLOURS[colour]}?",
    )


def _dilemma(step: NurikabeStep, shading: Shading) -> Words:
    named = _cells(shading.puzzle, step.reason)
    return (
        f"on {named}",
        f"whether it is white or black, {_found(step, shading)}",
        f"Dilemma on {named}: what follows from white, and from black?",
    )


_SENTENCES: dict[int, Callable[[NurikabeStep, Shading], Words]] = {
    kernels.BETWEEN: _between,
    kernels.COMPLETE: _complete,
    kernels.POOL: _pool,
    kernels.RIVER_LIBERTY: _river_liberty,
    kernels.ISLAND_LIBERTY: _island_liberty,
    kernels.OVERSIZE: _oversize,
    kernels.SHARED_LIBERTY: _shared_liberty,
    kernels.TOTAL: _total,
    kernels.ENCLOSED: _enclosed,
    kernels.UNREACHABLE: _unreachable,
    kernels.RIVER_BOTTLENECK: _river_bottleneck,
    kernels.FILLED_REACH: _filled_reach,
    kernels.ISLAND_BOTTLENECK: _island_bottleneck,
    kernels.STRANDED: _stranded,
    kernels.BLOCK_BREAKER: _block_breaker,
    kernels.BLOCK_COUNT: _block_count,
    kernels.REFUTATION: _what_if,
    kernels.DILEMMA: _dilemma,
    kernels.DEEP_REFUTATION: _what_if,
}
