"""A third kind of puzzle, small enough to read: stairs, a line of digits that rise or fall by one.

`add` names it in the tables of the layers, as a real kind would be named in their source, and
nowhere else. It must run before anything else of nando is imported.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from nando.puzzles.frozen import FrozenText
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError, Status


class Stairs(FrozenText):
    """Digits from 1 to 9, each one more or one less than the last: ``stairs:1...5``."""

    kind = "stairs"

    def __init__(self, text):
        line = text.removeprefix("stairs:")
        if not line or set(line) - set(".123456789"):
            raise PuzzleError([Fault(FaultKind.FOREIGN_SYMBOL, f"no stairs: {text!r}")])
        givens = np.array([0 if symbol == "." else int(symbol) for symbol in line], np.int8)
        givens.setflags(write=False)
        self.__dict__.update(text=f"stairs:{line}", givens=givens, shape=(1, len(line)))

    @classmethod
    def parse(cls, text):
        return cls(text.strip())

    @classmethod
    def from_rows(cls, rows):
        return cls("".join(str(cell or ".") for row in rows for cell in row))

    @classmethod
    def is_whole(cls, line):
        return line.startswith("stairs:")

    def status(self):
        return Status()

    def is_solution(self, values):
        kept = (self.givens == 0) | (self.givens == values)
        return bool(kept.all() and (np.abs(np.diff(values)) == 1).all() and (values > 0).all())

    def solution_text(self, values):
        return "".join(map(str, values))

    def solution_values(self, text):
        return np.array([int(symbol) for symbol in text], np.int8)

    def grid(self, values=None):
        return self.solution_text(self.givens if values is None else values)

    def cell_name(self, cell):
        return f"c{cell + 1}"

    def shuffled(self, rng):
        return Stairs(self.text[:6:-1] if rng.random() < 0.5 else self.text)

    def equivalence_key(self):
        return min(self.text[7:], self.text[:6:-1])

    def equivalence_hash(self):
        return hash(self.equivalence_key())


class StairsSearch:
    """A search through all ways up and down, one after another; each is a guess."""

    patience = 1 << 20

    def __init__(self, puzzle):
        self.progress = np.zeros(3, np.int64)
        self.solutions = np.zeros((2, len(puzzle.givens)), np.int8)
        self._puzzle = puzzle
        steps = product((1, -1), repeat=len(puzzle.givens) - 1)
        self._ways = (np.cumsum([first, *way]) for way in steps for first in range(1, 10))

    def advance(self, limit, most_guesses):
        while self.progress[1] < limit and self.progress[2] < most_guesses:
            values = next(self._ways, None)
            if values is None:
                self.progress[0] = -1
                return
            self.progress[2] += 1
            if values.max() < 10 and self._puzzle.is_solution(values):
                self.solutions[min(self.progress[1], 1)] = values
                self.progress[1] += 1


class Line(NamedTuple):
    """A position: the filled cells."""

    puzzle: Stairs
    values: tuple

    @property
    def n_blanks(self):
        return self.values.count(0)

    def after(self, step):
        values = list(self.values)
        values[step.cell] = step.value
        return self._replace(values=tuple(values))


class Climb(NamedTuple):
    """A step: a cell on the straight way between two others."""

    technique: object
    rating: float
    cell: int
    value: int
    ends: tuple


def add():
    """Register stairs in the table of every layer."""
    from nando.puzzles import kinds as puzzles

    # This comes first, because other modules import the tuple.
    puzzles.PUZZLES = (*puzzles.PUZZLES, Stairs)

    from nando.drawing import boards as drawing
    from nando.drawing.shapes import Picture, Text
    from nando.evaluation import scores as evaluation
    from nando.features import groups as features
    from nando.features.feature import Feature, FeatureGroup, each
    from nando.features.groups import EXACT
    from nando.games import kinds as games
    from nando.generators import kinds as generators
    from nando.rating import kinds as rating
    from nando.rating.parts import Effort, Part
    from nando.solvers import kinds as solvers
    from nando.solvers.logic.language import Explanation
    from nando.solvers.logic.technique import Fill, LogicRatings, Scale, Technique
    from nando.solvers.protocol import Rule

    ladder = (Technique("straight climb", 1.5, "As far as steps.", 0, kind=Stairs.kind),)

    class Walker:
        def __init__(self, ladder, effort):
            self.ladder = ladder

        def steps(self, puzzle, start=None):
            values = puzzle.givens.astype(int) if start is None else np.array(start.values)
            while not values.all():
                known = np.flatnonzero(values)
                for a, b in pairwise(known.tolist()):
                    rise = int(values[b] - values[a])
                    if b - a > 1 and abs(rise) == b - a:
                        values[a + 1] = values[a] + np.sign(rise)
                        yield Climb(self.ladder[0], 1.5, a + 1, int(values[a + 1]), (a, b))
                        break
                else:
                    return

        def fills(self, step):
            return [Fill(step.cell, step.value, Rule.LOCAL_RULE)]

        def rate(self, puzzles):
            uses = np.array([[len(list(self.steps(puzzle)))] for puzzle in puzzles])
            left = [np.count_nonzero(puzzle.givens == 0) for puzzle in puzzles] - uses[:, 0]
            return LogicRatings(left == 0, np.where(uses[:, 0], 1.5, 0.0), uses, left)

    def explain(step, line, words):
        one, other = (line.puzzle.cell_name(cell) for cell in step.ends)
        there = line.puzzle.cell_name(step.cell)
        return Explanation("between two digits", f"from {one} to {other}", f"{there} is on it")

    def draw(puzzle, solution, style):
        symbols = enumerate(solution or puzzle.text.removeprefix("stairs:"))
        digits = (Text(i + 0.5, 0.5, symbol, 0.6) for i, symbol in symbols if symbol != ".")
        return Picture(len(puzzle.givens), 1, tuple(digits))

    def static(puzzle, runs, rng):
        ratings = Walker(ladder, 0).rate([puzzle])
        return float(np.count_nonzero(puzzle.givens == 0)), float(ratings.uses[0, 0])

    @dataclass(frozen=True)
    class StairsCandidate:
        puzzle: Stairs

        def easier_ones(self, rng):
            return [self]

        def moves(self, rng, *, harder):
            return iter(())

    @dataclass(frozen=True)
    class StairsSource:
        length: int = 5

        def draw(self, rng):
            first = int(rng.integers(1, 10 - self.length))
            blanks = "." * (self.length - 2)
            return StairsCandidate(Stairs(f"{first}{blanks}{first + self.length - 1}"))

    solvers.KINDS[Stairs.kind] = solvers.SolverKind(
        exact=StairsSearch,
        logic=solvers.LogicKind(
            ladder=ladder,
            scale=Scale("stairs rating", "no scale at all", "guesses", 9.0),
            start=lambda puzzle: Line(puzzle, tuple(puzzle.givens.tolist())),
            walker=Walker,
            explain=explain,
            record=lambda step, line, words: {"cell": step.cell, "value": step.value},
            takes_thought=lambda step: False,
        ),
    )
    features.KINDS[Stairs.kind] = features.FeaturesKind(
        groups=(
            EXACT,
            FeatureGroup(
                "stairs_static",
                99,
                (
                    Feature("stairs_blanks", "blanks", "cells", "harder", "tests"),
                    Feature("stairs_steps", "steps of the ladder", "steps", "harder", "tests"),
                ),
                each(static),
            ),
        ),
        default=("stairs_static", "exact"),
    )
    # The module derives this from the table when it is imported.
    features.GROUPS["stairs_static"] = features.KINDS[Stairs.kind].groups[1]
    looks = Effort((Part("steps", "climbing", {"stairs_blanks": 1.0}),), counted="stairs_blanks")
    rating.KINDS[Stairs.kind] = rating.RatingKind(
        effort=looks,
        rough=lambda scale, crowd, known: (np.log(known["stairs_blanks"]), np.zeros(1)),
        baselines={"search": ("exact_guesses",)},
    )
    generators.SOURCES[Stairs.kind] = StairsSource
    games.KINDS[Stairs.kind] = games.GameKind(
        model="",
        baselines={"reading": (lambda puzzle, runs, rng: np.cumsum(puzzle.givens == 0) * 1.0, 30)},
        entered=lambda values: values > 0,
    )
    drawing.KINDS[Stairs.kind] = drawing.KINDS["sudoku"]._replace(board=draw)
    evaluation.PAGES[Stairs.kind] = {
        "heading": "Nothing is published.",
        "numbers": {},
        "remark": "",
    }
