"""The rules of each kind and genre, with drawn examples and a first step."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from nando.books.binder import Binder, Flow, Numbered
from nando.books.kinds import KINDS, PLAIN, BookKind, kind_of, solution_of
from nando.books.language import Words, ranges
from nando.books.pages.composition import LARGEST_CELL, DrawnStep, compose, in_symbols
from nando.books.sheet import Style
from nando.drawing.boards import board
from nando.drawing.rules.board import forms, grids_example, rule_example, rule_examples
from nando.drawing.shapes import GridStyle, Marks, Picture
from nando.drawing.symbols import key_of, stand_in
from nando.drawing.walks import focused
from nando.puzzles import Puzzle, PuzzleError, Variant
from nando.puzzles.rules.boxes import Boxes, Regions
from nando.puzzles.rules.registry import all_sentences, find_rule, rule_name
from nando.puzzles.variants.genre import Genre

if TYPE_CHECKING:
    from nando.solvers.logic import LogicStep, PencilMarks


def rules_pages(binder: Binder) -> None:
    """Draw a page for each kind of puzzle in the book."""
    if not binder.spec.include.rules:
        return
    kinds: dict[str, list[Numbered]] = {}
    for _, numbered in binder.number_sections():
        for item in numbered:
            kinds.setdefault(kind_of(item.record.puzzle), []).append(item)
    for name, items in kinds.items():
        if name in KINDS:
            _rules(binder, name, KINDS[name])
        elif items[0].record.puzzle.kind == "variant":
            _variant_rules(binder, name, items)


def _rules(binder: Binder, name: str, kind: BookKind) -> None:
    words, style = binder.words, binder.style
    key = f"rules.{kind.puzzle}"
    flow = Flow(binder, "rules", f"rules-{name}", words(f"{key}.title", kind=words.kind(name)))
    symbols = words(f"{key}.symbols.{name}") if kind.puzzle == "sudoku" else ""
    look, step = style.grid(LARGEST_CELL), None
    if kind.first_step is not None:
        drawn = kind.first_step(look, Marks(style.tint, style.accent))
        said = {name: stand_in(digit, style.design.symbols) for name, digit in kind.said.items()}
        step = DrawnStep(words("labels.step"), drawn, words(f"{key}.step", **said))
    examples = _puzzle_and_solution(words, kind.example, look)
    if style.design.symbols and kind.puzzle == "sudoku":
        examples.append(_key(binder, kind.example.shape[0]))
    compose(flow, words.paragraphs(f"{key}.text", symbols=symbols), examples, step)


def _key(binder: Binder, n: int) -> tuple[str, Picture]:
    """Return the figure that shows what stands for digits, with its label."""
    style = binder.style
    return binder.words("labels.symbols"), key_of(min(n, 9), style.grid(LARGEST_CELL), style.grey)


def _puzzle_and_solution(
    words: Words, puzzle: Puzzle, look: GridStyle
) -> list[tuple[str, Picture]]:
    return [
        (words("labels.example"), board(puzzle, look)),
        (words("labels.example_solved"), board(puzzle, look, solution_of(puzzle))),
    ]


# ---------------------------------------------------------------- genres of variants


_MOST_STEPS = 16
"""Number of steps among which to look for the first one by the rules of the genre."""


def _variant_rules(binder: Binder, name: str, items: Sequence[Numbered]) -> None:
    """Draw the page of a genre: its rules in words, an example of each rule, and a first step."""
    words = binder.words
    title = words("rules.sudoku.title", kind=words.kind(name))
    flow = Flow(binder, "rules", f"rules-{name}", title)
    genre = Genre.read(name)
    texts = *_sentences(words, items), words.paragraphs("rules.sudoku.text", symbols="")[-1]
    shown = forms(rule for item in items for rule in _variant(item).rules)
    spec = binder.spec
    marked = {n: small_example(_variant(items[0]), n, spec.seed) for n in genre.rules}
    examples = _examples(genre, binder.style, words, shown, marked)
    symbols = spec.design.symbols
    if symbols:
        examples.append(_key(binder, min(9, genre.digits)))
    first = first_step(_variant(items[0]), genre.rules, words.language, spec.seed, symbols)
    step = None
    if first is not None:
        before, taken, sentence = first
        sentence = binder.named(sentence, before.puzzle.shape[0])
        step = DrawnStep(words("labels.step"), focused(before, taken), sentence)
    compose(flow, texts, examples, step)


@lru_cache(maxsize=64)  # a book is laid out until its page numbers stay the same
def first_step(
    puzzle: Variant, rules: tuple[str, ...], language: str, seed: int, symbols: str = ""
) -> tuple["PencilMarks", "LogicStep", str] | None:
    """Return the first step by one of these rules on an image of a puzzle, or else its first step.

    The image does not give any digit of the puzzle away.

    Returns
    -------
    tuple or None
        The position before the step, the step and its sentence; None for a puzzle without any step,
        or with several solutions.
    """
    from nando.solvers.logic import LogicSolver, describe

    image = puzzle.shuffled(np.random.default_rng(seed))
    solver = LogicSolver()
    before: Any = solver.start(image)
    step: Any
    first = None
    try:
        for step in islice(solver.steps(image), _MOST_STEPS):
            first = first or (before, step)
            applied = {*step.rules, *map(before.rule_of_house, step.houses)} - {-1}
            if any(image.rules[number].name in rules for number in applied):
                first = before, step
                break
            before = before.after(step)
    except PuzzleError:  # several solutions, in a book of examples
        return None
    if first is None:
        return None
    before, step = in_symbols(first[0], symbols), first[1]
    return before, step, describe(step, before, language=language)


_MOST_MARKS = 4
"""Most marks of a rule in an example on a small board."""


@lru_cache(maxsize=64)
def small_example(puzzle: Variant, rule: str, seed: int) -> Variant | None:
    """Return marks of a rule on an image of a small puzzle, with the digits that they are about.

    Returns
    -------
    Variant or None
        None for a board of at least nine digits, for which there are examples, and for a rule
        that names no cells.
    """
    from nando.solvers import unique_solution

    image = puzzle.shuffled(np.random.default_rng(seed))
    own = [each for each in image.rules if each.name == rule][:_MOST_MARKS]
    named = {cell for each in own for cell in each.cells_named()}
    if puzzle.size >= 9 or (not named and Variant(rule_examples()[rule]).givens.any()):
        return None
    try:
        solution = unique_solution(image)
    except PuzzleError:  # several solutions, in a book of examples
        return None
    values = np.zeros_like(solution)
    houses = [each for each in image.rules if isinstance(each, Boxes | Regions)]
    if own != houses:
        places = image.board.places(named)
        values[places] = solution[places]
    return Variant.of(values, dict.fromkeys([*houses, *own]))


def _sentences(words: Words, items: Sequence[Numbered]) -> list[str]:
    """Return the sentences of all rules; a rule that not all puzzles have names its puzzles."""
    numbers: dict[str, list[int]] = {}
    for item in items:
        puzzle = _variant(item)
        said = all_sentences(puzzle.board, puzzle.rules, words.language)
        if puzzle.board.values[-1] > 9:
            said.insert(1, words.letters(puzzle.symbols[-1], puzzle.board.values[-1]))
        for text in said:
            numbers.setdefault(text, []).append(item.number)
    label = words("labels.number")
    return [
        text if len(own) == len(items) else f"{label} {ranges(own)}: {text}"
        for text, own in numbers.items()
    ]


def _variant(item: Numbered) -> Variant:
    puzzle = item.record.puzzle
    assert isinstance(puzzle, Variant)
    return puzzle


def _examples(
    genre: Genre,
    style: Style,
    words: Words,
    shown: frozenset[str],
    marked: Mapping[str, Variant | None],
) -> list[tuple[str, Picture]]:
    """Return the figures that explain a genre, each with its label."""
    look = style.grid(LARGEST_CELL)
    figures = []
    if genre.grids:
        alone = Genre(grids=genre.grids).name(words.language)
        figures.append((alone, grids_example(genre.grids, look, style.tint)))
    for rule in genre.rules:
        label = rule_name(find_rule(rule), words.language)
        figures.append((label, rule_example(rule, look, style.tint, shown, marked[rule])))
    if figures:
        return figures
    fitting = [n for n in PLAIN if n <= genre.digits] or [min(PLAIN)]
    return _puzzle_and_solution(words, Variant(PLAIN[max(fitting)]), look)
