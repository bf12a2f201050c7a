"""A chapter on the techniques that the puzzles of the book need, each with a drawn step."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nando.books.binder import Binder, Flow
from nando.books.pages.composition import DrawnStep, draw_step, in_symbols, step_cell
from nando.books.sheet import LARGE_CELL, LEADING
from nando.drawing.boards import position, smallest_text
from nando.drawing.walks import focused
from nando.puzzles import Puzzle
from nando.solvers.logic.language import words_for

if TYPE_CHECKING:
    from nando.solvers.logic import Ladder, Walkthrough, WalkthroughStep

IDEAS = {
    "full_house": "full house",
    "hidden_single": "hidden single",
    "naked_single": "naked single",
    "locked": "direct pointing, direct claiming, pointing, claiming, locked candidates",
    "naked_subset": "naked pair, naked triplet, naked quad, naked quintuplet",
    "hidden_subset": "direct hidden pair, direct hidden triplet, hidden pair, hidden triplet, "
    "hidden quad",
    "fish": "X-wing, swordfish, jellyfish",
    "strong_links": "two strong links, three strong links",
    "wing": "XY-wing, XYZ-wing",
    "large_wing": "WXYZ-wing, VWXYZ-wing, UVWXYZ-wing, TUVWXYZ-wing",
    "unique": "unique loop, bivalue universal grave",
    "aligned": "aligned pair exclusion, aligned triplet exclusion",
    "chain": "chain",
    "forcing": "nishio, multiple forcing chains, dynamic forcing chains, "
    "dynamic forcing chains with patterns, dynamic forcing chains with chains, "
    "dynamic forcing chains with multiple chains, dynamic forcing chains with dynamic chains",
    "between": "between numbers, between islands",
    "complete": "island of one, complete island",
    "pool": "pool",
    "exit": "single exit of the river, single exit of an island, shared neighbour",
    "too_large": "island too large",
    "total": "total",
    "reach": "unreachable, unreachable by pledge, stranded cells, cut off from the river",
    "bottleneck": "river bottleneck, only room left, island bottleneck, "
    "island bottleneck by pledge, river too short",
    "block": "only breaker of a block, counted blocks",
    "relation": "relation to a digit, relation",
    "sum": "rest of a sum, sum of two cells, sum of three cells, larger sum, digit of a cage",
    "union": "innie or outie, innies or outies, larger innies or outies",
    "pattern": "pattern, pattern without repeats",
    "joint": "rules together, rules of an area, rules of a larger area, cases of an area, "
    "cases of a larger area",
    "split": "classes of a line, cases of a line",
    "what_if": "what-if near by, what-if, dilemma, deep what-if",
}
"""The techniques that each text of the tables explains."""

_SINGLES = ("hidden single in box", "hidden single in line")


class Example(NamedTuple):
    """A technique, the idea behind it, and a step that shows it."""

    technique: str
    idea: str
    taken: "WalkthroughStep"

    @property
    def kind(self) -> str:
        """The kind of the puzzle."""
        return self.taken.position.puzzle.kind

    @property
    def length(self) -> int:
        """The number of links and of assumed digits in the step."""
        step = self.taken.step
        branches = getattr(step, "branches", ())
        return len(getattr(step, "links", ())) + sum(map(len, branches))


def technique_pages(binder: Binder) -> None:
    """Draw each technique, by kind of puzzle and difficulty; those of one idea share its text."""
    if not binder.spec.include.techniques:
        return
    words, size = binder.words, binder.style.size
    puzzles = tuple(record.puzzle for record in binder.records)
    ladders = tuple(asked and asked.ladder for asked in map(binder.asked.get, puzzles))
    flow = Flow(binder, "techniques", "techniques", words("techniques.title"))
    ideas: dict[tuple[bool, str], list[DrawnStep]] = {}
    for example in _examples(puzzles, words.language, binder.spec.seed, ladders):
        key = example.kind == "nurikabe", example.idea
        ideas.setdefault(key, []).append(_drawn(binder, example))
    waiting = [
        (step, "" if i else words(f"techniques.{idea}"))
        for (_, idea), steps in ideas.items()
        for i, step in enumerate(steps)
    ]
    while waiting:
        n = 1
        while n < len(waiting) and _fit(flow, waiting[: n + 1]):
            n += 1
        page, waiting = waiting[:n], waiting[n:]
        cell = _cell(flow, page)
        for step, text in page:
            flow.paragraph(step.label, _NAME * size, bold=True)
            flow.skip(0.3 * size)
            if text:
                flow.paragraph(text)
                flow.skip(0.6 * size)
            if cell < LARGE_CELL and binder.spec.design.large_print:
                flow.turn()
                cell = step_cell(flow, [step], flow.y + size)
            draw_step(flow, step, "the techniques", cell)
            flow.skip(size)
        if waiting:
            flow.turn()


_LEAST_CELL, _LEAST_PLAIN_CELL = 19.0, 13.0
"""Least sides of a cell of steps that share a page: with candidates, and without small type."""
_SMALL = 0.3
"""Size below which type is small, in cells."""
_NAME = 1.25
"""Size of the name of a technique, as a multiple of the type."""


def _drawn(binder: Binder, example: Example) -> DrawnStep:
    name = words_for(example.kind, binder.words.language).name(example.technique)
    before = in_symbols(example.taken.position, binder.spec.design.symbols)
    taken = replace(example.taken, position=before)
    sentence = binder.named(taken.sentence(), before.puzzle.shape[0])
    # Of a variant, whose marks take room, only the candidates that show the step are drawn.
    on_variant = example.kind == "variant"
    picture = (
        focused(before, taken.step, houses=True) if on_variant else position(before, taken.step)
    )
    return DrawnStep(name[0].upper() + name[1:], picture, sentence)


def _fit(flow: Flow, page: Sequence[tuple[DrawnStep, str]]) -> bool:
    """Return True if steps with their texts are large enough on the rest of the page."""
    has_small = any(smallest_text(step.picture, 1.0) < _SMALL for step, _ in page)
    least = _LEAST_CELL if has_small else _LEAST_PLAIN_CELL
    return _cell(flow, page) >= (LARGE_CELL if flow.style.design.large_print else least)


def _cell(flow: Flow, page: Sequence[tuple[DrawnStep, str]]) -> float:
    """Return the side of a cell with which texts and named steps fit on the rest of the page."""
    sheet, size = flow.sheet, flow.style.size
    lines = [sheet.break_lines(text, size, sheet.width) if text else () for _, text in page]
    above = sum(map(len, lines)) * LEADING + (LEADING * _NAME + 0.9) * len(page)
    return step_cell(flow, [step for step, _ in page], flow.y + above * size)


@lru_cache(maxsize=4)  # a book is laid out until its page numbers stay the same
def _examples(
    puzzles: tuple[Puzzle, ...],
    language: str,
    seed: int,
    ladders: "tuple[Ladder | None, ...]" = (),
) -> list[Example]:
    """Return the techniques that puzzles need, each with a first step on an image of a puzzle."""
    from nando.solvers.logic import shorten
    from nando.solvers.logic.walkthrough import remembered_walk, walk_through

    examples: dict[tuple[bool, str], Example] = {}
    rng, ladder_of = np.random.default_rng(seed), dict(zip(puzzles, ladders, strict=False))
    for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.givens.size):
        # An image gives no answer away. It may need other techniques, since some depend on the
        # order in which houses are read; their steps are shown on the puzzle itself.
        image = puzzle.shuffled(rng)
        ladder = ladder_of.get(puzzle)
        for walk in (walk_through(image, ladder), remembered_walk(puzzle, ladder)):
            for example in _of(shorten(walk), language):
                # Variants share the techniques of Sudoku. Of long chains, the shortest is shown.
                key = puzzle.kind == "nurikabe", example.technique
                if key not in examples or example.length < examples[key].length:
                    examples[key] = example
    kinds = list(dict.fromkeys(puzzle.kind for puzzle in puzzles))
    order = max(filter(None, ladders), key=len, default=())
    return sorted(
        examples.values(),
        key=lambda example: (
            kinds.index(example.kind),
            example.taken.place_in(order),
            example.taken.step.rating,
        ),
    )


def _of(walk: "Walkthrough", language: str) -> Iterator[Example]:
    rungs = {rung.name for rung in walk.ladder}
    for taken in walk.steps:
        name = taken.step.technique.name
        name = "hidden single" if name in _SINGLES else name
        # A family with a rung of its own is shown by its name.
        shown = taken.family if taken.family in rungs - {name} else name
        yield Example(shown, idea_of(name), replace(taken, language=language))


def idea_of(technique: str) -> str:
    """Return the key of the text that explains a technique."""
    return next(idea for idea, names in IDEAS.items() if technique in names.split(", "))
