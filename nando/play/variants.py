"""What the page to play needs to know about a variant: its board as drawn, and its constraints.

The page sees constraints, to mark conflicts, and the names of their houses, marks and rules, to say
what is broken.
"""

from collections import defaultdict
from typing import Any

from nando.drawing.rules.table import empty_board
from nando.drawing.shapes import SCREEN
from nando.drawing.variants import TRIM, pencil_marks
from nando.play.plain import plain_all
from nando.puzzles import Variant
from nando.puzzles.boards import constraints
from nando.puzzles.rules.words import all_sentences, titles
from nando.solvers.logic.language import PAGE_LANGUAGES
from nando.solvers.logic.wording.variant_names import VariantNames, variant_words
from nando.solvers.variants.network import network_of


def board_of(puzzle: Variant) -> dict[str, Any]:
    """Return the parts of a variant's board other than its places and givens.

    Returns
    -------
    dict
        ``size``, the number of digits; ``gaps``, the places without a cell; ``margins``, the room
        for marks on the left, on top, on the right and below, in cells; ``below``,
        ``behind`` and ``above``, the shapes of tints, of lines and of marks; ``pencil``, the
        positions of candidates in a cell; ``said``, for each language the sentences that explain
        the rules; ``titles`` and ``names``, for each language what distinguishes the puzzle in a
        list, and the names of constraints; and ``constraints``, with the ``tables`` of relations
        and the ``automata`` of patterns that they refer to.
    """
    drawn = empty_board(puzzle, SCREEN)
    n_columns = puzzle.shape[1]
    cells = set(puzzle.places)
    rules = puzzle.rules
    return {
        "size": puzzle.size,
        "gaps": [place for place in range(puzzle.givens.size) if place not in cells],
        "margins": [rows - TRIM if rows else 0 for rows in drawn.margins],
        "below": plain_all(drawn.tints, n_columns),
        "behind": plain_all(drawn.lines, n_columns),
        "above": plain_all(drawn.marks, n_columns),
        "pencil": pencil_marks(puzzle)._asdict(),
        "said": {tag: all_sentences(puzzle.board, rules, tag) for tag in PAGE_LANGUAGES},
        "titles": {tag: titles(puzzle.board, rules, tag)[:4] for tag in PAGE_LANGUAGES},
        **_constraints(puzzle),
    }


def _constraints(puzzle: Variant) -> dict[str, Any]:
    """Return the constraints, and the names, tables and automata to which their numbers refer."""
    names: dict[Any, int] = defaultdict(lambda: len(names))
    tables: dict[Any, int] = defaultdict(lambda: len(tables))
    automata: dict[Any, int] = defaultdict(lambda: len(automata))
    places = puzzle.board.places

    def plain(constraint: constraints.Constraint) -> list[Any]:
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

    called = _names(puzzle)
    listed = [
        [names[name], *plain(constraint)]
        for name, (_, constraint) in zip(called, puzzle.constraints, strict=True)
    ]
    return {
        "constraints": listed,
        "names": {tag: [name[i] for name in names] for i, tag in enumerate(PAGE_LANGUAGES)},
        "tables": list(map(list, tables)),
        "automata": [
            {"moves": list(map(list, automaton.moves)), "accepting": sorted(automaton.accepting)}
            for automaton in automata
        ],
    }


def _names(puzzle: Variant) -> list[tuple[str, ...]]:
    """Return the name of each constraint in all languages: that of its house, mark or rule."""
    speakers = [VariantNames(variant_words(tag), puzzle) for tag in PAGE_LANGUAGES]
    cells, (network, _) = puzzle.board.cells, network_of(puzzle)
    houses = {
        frozenset(cells[cell] for cell in house): number
        for number, house in enumerate(network.houses.tolist())
    }

    def name(speaker: VariantNames, rule: int, constraint: constraints.Constraint) -> str:
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
