"""A source of puzzles whose steps are as asked.

Few puzzles need a given technique, but many have a position in which nothing easier helps. So the
source climbs the ladder up to the technique on puzzles that are cheap to draw, and takes one on
which the technique finds a step. Move by move it makes this puzzle easier, as long as the technique
is used, until the ladder solves it. The moves of a round are judged in one call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from nando.generators.steps import Asked, Steps, solver_of
from nando.generators.sudoku import SudokuCandidate, SudokuSource
from nando.generators.target import CandidatePuzzle, FailedDraw, ManySource
from nando.kernels.streams import drawn_stream
from nando.puzzles import Sudoku
from nando.solvers import unique_solution
from nando.solvers.logic import Ladder, Technique
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.orders.order import NAMED, sources_of
from nando.solvers.logic.orders.ordered import COMPLETE, W_WING

_TOGETHER = 32
"""Puzzles drawn at a time, if they are cheap to draw and a technique is asked for."""

_SECONDS = 120.0
"""Default limit of time for a puzzle, in seconds; the hardest ratings may take hours."""

_TRIES = 12
"""Moves judged in a round."""

_PATIENCE = {"sudoku": 2, "nurikabe": 2, "variant": 8}
"""Rounds without progress after which a drawn puzzle of a kind is given up: later ones rarely help.
A variant takes longer to draw."""

_BEYOND = 9.4, 11.9
"""The highest rating that moves from drawn puzzles have led to, and that of the hardest below."""

_HARD = (
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
)
"""Easter Monster, by JPF (Sudoku Forums, April 2007), and Golden Nugget, by tarek (Sudoku Players'
Forums, 2007). Their ratings are 11.6 and 11.9; those of many puzzles near them are above 9.4."""

_NEIGHBOURS, _EXCHANGES = 8, 3
"""Puzzles near a published one that are looked at in a draw, and most exchanges of givens up to
one of them."""

_TOO_BROAD = (kernels.CHAIN, kernels.ALIGNED, kernels.FORCING)
"""Kernels most of whose steps belong to no family that comes before them in an order."""


class _Distance(NamedTuple):
    """How far a puzzle is from what is asked: techniques not used, cells not filled, and rating.

    `off` is how far the rating of the hardest step is outside the range asked for.
    """

    unused: int
    blanks: int
    off: float
    rating: float

    @property
    def is_near(self) -> bool:
        return self.unused == self.blanks == self.off == 0


@dataclass(frozen=True)
class TechniqueSource:
    """Draws puzzles of another source whose steps are as asked, but for what needs a closer look.

    What it looks at are techniques with a quick kernel: in an order of families these are the
    techniques that find them.

    Parameters
    ----------
    source : Source
    steps : Steps
    varied : bool
        Also draw puzzles with steps that are harder than the techniques asked for; so does a source
        whose puzzles take long to draw.
    """

    source: Any
    steps: Steps
    varied: bool = False

    def __getattr__(self, name: str) -> Any:
        if name in ("most_scored", "most_failed", "easier"):
            return getattr(self.source, name)
        raise AttributeError(name)

    @cached_property
    def at_once(self) -> int:
        """Number of puzzles that a draw looks at."""
        if self._is_beyond:
            return _NEIGHBOURS
        is_cheap = isinstance(self.source, ManySource) and self.source.draws_many
        return _TOGETHER if is_cheap and self._asked else 1

    @property
    def most_seconds(self) -> float:
        """Seconds after which the search for a puzzle ends by default."""
        return getattr(self.source, "most_seconds", None) or _SECONDS

    @property
    def hint(self) -> str:
        """Advice if no draw gives a suitable puzzle."""
        asked = "another rating" if self.steps.rated is not None else "other techniques"
        return f"ask for {asked}, or for less besides"

    def draw(self, rng: np.random.Generator) -> CandidatePuzzle | FailedDraw | None:
        """Return a puzzle whose steps are as asked, or how near the nearest one came."""
        if self._is_beyond:
            starts: Sequence[CandidatePuzzle] = self._neighbours(rng)
        elif self.at_once > 1:
            streams = np.stack([drawn_stream(rng) for _ in range(self.at_once)])
            starts = [each for each in self.source.draw_many(streams) if each is not None]
        else:
            drawn: CandidatePuzzle | FailedDraw | None = self.source.draw(rng)
            if drawn is None or isinstance(drawn, FailedDraw):
                return drawn
            if self.steps.fits([drawn.puzzle])[0]:
                return drawn
            starts = [drawn]
        goal = self._goal(self._top(rng))
        distances = goal.distances(starts)
        nearest = min(distances, default=None)
        pairs = [*zip(starts, distances, strict=True)]
        if self._is_beyond:
            pairs.sort(key=lambda pair: pair[1])
        for start, distance in pairs:
            is_hardest = distance is nearest and distance.rating < goal.ratings[0]
            if self.at_once == 1 or not distance.unused or is_hardest:
                found, distance = goal.approach(start, distance, rng)
                if distance.is_near:
                    return found
                nearest = min(nearest or distance, distance)
        return nearest and goal.failed(nearest)

    @cached_property
    def _is_beyond(self) -> bool:
        """True if puzzles near published ones are looked at, as drawn ones do not lead so far."""
        low, source = (self.steps.ratings or (0.0, 0.0))[0], self.source
        is_free = isinstance(source, SudokuSource) and source.draws_many
        return _BEYOND[0] < low <= _BEYOND[1] and is_free and source.symmetry == "none"

    def _neighbours(self, rng: np.random.Generator) -> list[CandidatePuzzle]:
        """Return puzzles that exchanges of givens make of one that was published, never itself."""
        puzzle = Sudoku(_HARD[rng.integers(len(_HARD))]).shuffled(rng)
        known = SudokuCandidate(self.source, puzzle.givens, unique_solution(puzzle))
        found: dict[Sudoku, CandidatePuzzle] = {}
        for _ in range(_NEIGHBOURS):
            moved = known
            for _ in range(1 + rng.integers(_EXCHANGES)):
                moved = next(moved.moves(rng, harder=True), moved)
            if moved.puzzle != puzzle:
                found.setdefault(moved.puzzle, moved)
        return [*found.values()]

    @cached_property
    def _asked(self) -> tuple[Asked, ...]:
        """The techniques that must be used, each with the rung up to which to climb first."""
        ladder, asked = self.steps.ladder, [*self.steps.needed, *self.steps.used]
        if self.steps.rated is not None:
            asked.append(self.steps.rated)
        return tuple(Asked(a.name, tuple(r for r in a.rungs if r in ladder)) for a in asked)

    def _top(self, rng: np.random.Generator) -> int:
        """Return the number of the last rung to climb to."""
        ladder = self.steps.ladder
        last = len(ladder) - 1
        top = max((ladder.index(asked.rungs[0]) for asked in self._asked), default=last)
        while last > top and ladder[last].kernel == kernels.NESTED_FORCING:
            last -= 1
        is_varied = self.varied or self.at_once == 1
        return int(rng.integers(top, last + 1)) if is_varied and rng.random() < 0.5 else top

    def _goal(self, top: int) -> "_Goal":
        if top not in self._goals:
            wanted = {rung for asked in self._asked for rung in asked.rungs}
            rungs: dict[Technique, None] = {}
            for rung in self.steps.ladder[: top + 1]:
                rungs |= dict.fromkeys(_stand_in(rung, rung in wanted))
            ladder = tuple(rungs)
            groups = [
                [ladder.index(r) for each in asked.rungs for r in _stand_in(each) if r in rungs]
                for asked in self._asked
            ]
            ratings = self.steps.ratings if self.steps.is_standard else None
            names = [asked.name for asked in self._asked]
            self._goals[top] = _Goal(ladder, groups, names, ratings or (0.0, np.inf))
        return self._goals[top]

    @cached_property
    def _goals(self) -> "dict[int, _Goal]":
        return {}


def _stand_in(rung: Technique, is_wanted: bool = True) -> Ladder:
    """Return the rung that stands for another one in a quick walk: a family's first source."""
    if rung.kernel != NAMED:
        return (rung,)
    if rung.name == W_WING.name:
        return (W_WING,)
    if rung.name in COMPLETE:
        return (rung,) if is_wanted else ()
    source = sources_of(rung.name)[0]
    return (source,) if is_wanted or source.kernel not in _TOO_BROAD else ()


class _Goal(NamedTuple):
    """A ladder that is to solve puzzles, and numbers of its rungs of which each group is used."""

    ladder: Ladder
    groups: list[list[int]]
    names: list[str]
    ratings: tuple[float, float]

    def distances(self, candidates: Sequence[CandidatePuzzle]) -> list[_Distance]:
        """Return the distances of puzzles."""
        now = solver_of(self.ladder).rate_many([each.puzzle for each in candidates])
        off = np.where(now.solved, np.abs(now.rating - np.clip(now.rating, *self.ratings)), 0.0)
        used = [now.uses[:, group].any(axis=1) for group in self.groups]
        if np.isfinite(self.ratings[1]):  # an easier technique may have such a rating, too
            used[-1] |= now.solved & (off == 0)
        unused = np.zeros(len(candidates), np.int64)
        for each in used:
            unused += ~each
        rows = zip(
            unused.tolist(), now.blanks.tolist(), off.tolist(), now.rating.tolist(), strict=True
        )
        return [_Distance(*row) for row in rows]

    def approach(
        self, candidate: CandidatePuzzle, distance: _Distance, rng: np.random.Generator
    ) -> tuple[CandidatePuzzle, _Distance]:
        """Return the puzzle to which moves lead from another one, and its distance."""
        patience = _PATIENCE[self.ladder[0].kind]
        nearest, left = distance, patience
        while left and not distance.is_near:
            harder = distance.blanks == 0 and (
                distance.unused > 0 or distance.rating < self.ratings[0]
            )
            moves = [*islice(candidate.moves(rng, harder=harder), _TRIES)]
            if not moves:
                break
            tried = zip(self.distances(moves), moves, strict=True)
            after, moved = min(
                tried, key=lambda each: (each[0].unused, -each[0].rating) if harder else each[0]
            )
            if after.unused > distance.unused:
                break
            left = patience if after < nearest else left - 1
            candidate, distance, nearest = moved, after, min(after, nearest)
        return candidate, distance

    def failed(self, nearest: _Distance) -> FailedDraw:
        """Return how near the nearest puzzle of a draw came."""
        unused, blanks, off, rating = nearest
        if off and unused < 2:
            return FailedDraw(round(100 * off), f"a rating of {rating:g}")
        reached = f"{blanks} blanks left"
        if unused:
            n = len(self.names)
            reached = f"no {self.names[0]}" if n == 1 else f"{n - unused} of {n} techniques"
        return FailedDraw(1_000 * unused + blanks, reached)
