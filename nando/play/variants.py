"""What the page to play needs to know about a variant: its board as drawn, and its constraints.

The page sees constraints, to mark conflicts, and the names of their houses, marks and rules, to say
what is broken.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from nando.drawing.plain import plain
from nando.drawing.rules.board import empty_board
from nando.drawing.rules.scene import DRAWINGS
from nando.drawing.shapes import SCREEN
from nando.drawing.variants import pencil_marks
from nando.puzzles import Variant
from nando.puzzles.boards import constraints
from nando.puzzles.boards.board import Cells
from nando.puzzles.rules import Boxes, Difference, Quadruple, Ratio, Regions
from nando.puzzles.rules.houses import Groups
from nando.puzzles.rules.registry import all_sentences, rule_name, titles
from nando.puzzles.variants.text import digits_of
from nando.solvers.logic.language import PAGE_LANGUAGES, words_for
from nando.solvers.logic.wording.names import Names
from nando.solvers.variants.network import network_of


def board_of(puzzle: Variant) -> dict[str, Any]:
    """Return the parts of a variant's board other than its places and givens.

    Returns
    -------
    dict
        ``size``, the number of digits; ``gaps``, the places without a cell; ``margins``, the room
        for marks on the left, on top, on the right and below, in cells; ``below``,
        ``behind`` and ``above``, the shapes of tints, of lines and of marks; ``pencil``, the
        positions of candidates in a cell; ``marked``, for each mark its name and its places in
        order; ``said``, for each language the sentences that explain the rules; ``titles`` and
        ``names``, for each language what distinguishes the puzzle in a list, and the names of
        constraints and marks; and ``constraints``, with the ``tables`` of relations and the
        ``automata`` of patterns that they refer to.
    """
    if not puzzle.board.has_usual_digits:
        own = digits_of(puzzle.board)
        raise ValueError(
            "a page to play has digits from 1, one for each cell of a row, got a puzzle with "
            f"{own}; draw it"
        )
    drawn = empty_board(puzzle, SCREEN)
    cells = set(puzzle.places)
    rules = puzzle.rules
    return {
        "size": puzzle.size,
        "gaps": [place for place in range(puzzle.givens.size) if place not in cells],
        "margins": list(drawn.room),
        "below": list(map(plain, drawn.tints)),
        "behind": list(map(plain, drawn.lines)),
        "above": list(map(plain, drawn.marks)),
        "pencil": pencil_marks(puzzle)._asdict(),
        "said": {tag: all_sentences(puzzle.board, rules, tag) for tag in PAGE_LANGUAGES},
        "titles": {tag: titles(puzzle.board, rules, tag)[:4] for tag in PAGE_LANGUAGES},
        **_constraints(puzzle),
    }


def _constraints(puzzle: Variant) -> dict[str, Any]:
    """Return constraints and marks, and the names, tables and automata to which numbers refer."""
    names: dict[Any, int] = defaultdict(lambda: len(names))
    tables: dict[Any, int] = defaultdict(lambda: len(tables))
    automata: dict[Any, int] = defaultdict(lambda: len(automata))
    places = puzzle.board.places

    def describe(constraint: constraints.Constraint) -> list[Any]:
        match constraint:
            case constraints.AllDifferent(cells):
                return ["different", places(cells)]
            case constraints.Sum(cells, total, weights):
                return ["sum", places(cells), total, list(weights) or [1] * len(cells)]
            case constraints.Relation(first, second, allowed):
                return ["relation", places((first, second)), tables[allowed]]
            case constraints.Pattern(cells, automaton):
                return ["pattern", places(cells), automata[automaton]]
            case constraints.Candidates(cell, mask):
                return ["candidates", places((cell,)), mask]

    speakers = [Names(words_for("variant", tag), puzzle) for tag in PAGE_LANGUAGES]
    called = _names(puzzle, speakers)
    listed = [
        [names[name], *describe(constraint)]
        for name, (_, constraint) in zip(called, puzzle.constraints, strict=True)
    ]
    marks = list(_marks(puzzle, speakers, called))
    return {
        "constraints": listed,
        "marked": [[names[name], places(cells)] for name, cells in marks],
        "names": {tag: [name[i] for name in names] for i, tag in enumerate(PAGE_LANGUAGES)},
        "tables": list(map(list, tables)),
        "automata": [
            {"moves": list(map(list, automaton.moves)), "accepting": sorted(automaton.accepting)}
            for automaton in automata
        ],
    }


def _names(puzzle: Variant, speakers: Sequence[Names]) -> list[tuple[str, ...]]:
    """Return the name of each constraint in all languages: that of its house, mark or rule."""
    cells, (network, _) = puzzle.board.cells, network_of(puzzle)
    houses = {
        frozenset(cells[cell] for cell in house): number
        for number, house in enumerate(network.houses.tolist())
    }

    def name(speaker: Names, rule: int, constraint: constraints.Constraint) -> str:
        house = None
        if isinstance(constraint, constraints.AllDifferent):
            house = houses.get(frozenset(constraint.cells))
        if house is not None:
            called = speaker.house(house)
        elif isinstance(constraint, constraints.Relation):
            marked = constraint.first, constraint.second
            called = speaker.rule(rule, [puzzle.places[puzzle.board.number_of[c]] for c in marked])
        else:
            called = speaker.rule(rule)
        return called[:1].upper() + called[1:]

    return [tuple(name(speaker, *pair) for speaker in speakers) for pair in puzzle.constraints]


def _marks(
    puzzle: Variant, speakers: Sequence[Names], called: Sequence[tuple[str, ...]]
) -> Iterator[tuple[tuple[str, ...], Cells]]:
    """Yield what is drawn for the rules: the name of each mark in all languages, and its cells.

    `called` are the names of the constraints. A number outside is a mark of the cell next to it.
    """
    for number, rule in enumerate(puzzle.rules):
        if type(rule) not in DRAWINGS or isinstance(rule, Boxes):
            continue
        if isinstance(rule, Groups | Regions):
            for name, (of, constraint) in zip(called, puzzle.constraints, strict=True):
                if of == number and isinstance(constraint, constraints.AllDifferent):
                    yield name, constraint.cells
            continue
        outside = [puzzle.board.line(line)[:1] for line in rule.lines_named()]
        for cells in filter(None, rule.groups_named() or outside or [rule.cells_named()]):
            name = tuple(_mark(speaker, number, cells) for speaker in speakers)
            if all(name):
                yield name, cells
            else:
                name = tuple(rule_name(rule, speaker.words.language) for speaker in speakers)
                yield from ((name, (cell,)) for cell in cells)


def _mark(speaker: Names, number: int, cells: Cells) -> str:
    """Return the name of a mark with all that its drawing says; "" if only its kind has a name."""
    rule = speaker.puzzle.rules[number]
    places = speaker.puzzle.board.places(cells)
    called = speaker.rule(number, places if len(places) == 2 else ())
    if called == speaker.words.table.get(f"rule.{rule.name}.name"):
        return ""
    name = called[:1].upper() + called[1:]
    if getattr(rule, "directed", False):
        return f"{name}: {' > '.join(map(speaker.cell, places))}"
    shown = [rule.value] if isinstance(rule, Difference | Ratio) else getattr(rule, "digits", ())
    if isinstance(rule, Quadruple) and len(set(shown)) == len(shown):
        shown = ()  # its name has them
    return f"{name}: {' '.join(speaker.digits([digit]) for digit in shown)}" if shown else name
