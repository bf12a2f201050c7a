"""Check puzzles before they are printed: everything that a reader would mind."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from nando import books, generators
from nando.api.solving import check_puzzle
from nando.checks import how_many, one_of
from nando.names import Kind, Symmetry
from nando.puzzles import Puzzle, PuzzleError, PuzzleLike, PuzzleTypeError, Sudoku, Variant
from nando.puzzles.inputs import as_puzzles, is_one, several
from nando.puzzles.protocol import FaultKind
from nando.puzzles.rules.boxes import Boxes

if TYPE_CHECKING:
    from nando.books import Book
    from nando.generators import Known
    from nando.generators.steps import Steps

FAR_ABOVE = 1.5
"""The hardest step is far above the others if its rating is this much higher. Of 240 puzzles of a
publisher's six levels, 5 have such a step, all of them diabolical."""

_LISTED = 5
"""Most cells named in a reason."""

Said = tuple[str, str]
"""A fault and its reason."""


@dataclass(frozen=True)
class Finding:
    """Something that a reader of printed puzzles would mind.

    Attributes
    ----------
    number : int or None
        Number of the puzzle, from 1; None for the whole book.
    fault : str
        What is wrong, the same word for the same fault: a fault of the puzzle such as ``"several
        solutions"``, ``"repeated"``, ``"not explained"``, ``"one hard step"``, ``"idle rule"``,
        ``"needless given"``, ``"covered given"``, ``"asymmetric"`` or ``"pages"``.
    reason : str
        The same in a sentence, with the cells concerned.
    """

    number: int | None
    fault: str
    reason: str

    def __str__(self) -> str:
        """Return the number of the puzzle and the reason."""
        return self.reason if self.number is None else f"puzzle {self.number}: {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {"number": self.number, "fault": self.fault, "reason": self.reason}


def check(
    puzzles: "PuzzleLike | Iterable[PuzzleLike] | Book",
    *,
    earlier: Iterable[PuzzleLike] = (),
    symmetry: Symmetry = "none",
    kind: Kind | None = None,
) -> list[Finding]:
    """Find what a reader would mind about puzzles, before they are printed.

    Parameters
    ----------
    puzzles : text, Puzzle, or a result that holds one; several of them, or a Book
        A puzzle that cannot be read is a finding, not an error. Of a book, the number of pages is
        checked as well.
    earlier : iterable of puzzles
        Puzzles that were printed before. No other may be equivalent to them.
    symmetry : str
        Symmetry that the givens, or the numbers of a Nurikabe, should have.
    kind : str or None
        Kind of the puzzles; None recognises that of a text, and takes numbers as a Sudoku.

    Returns
    -------
    list of Finding
        In the order of the puzzles; empty if there is nothing to mind.

    Raises
    ------
    PuzzleError, PuzzleTypeError
        If an earlier puzzle cannot be read.
    ValueError
        For an unknown symmetry or kind.

    Notes
    -----
    A puzzle should have exactly one solution, and should not be equivalent to an earlier one. The
    techniques of :func:`nando.explain` should solve it, and their hardest step should not be far
    above all others: at most 1.5 on the scale of the ratings. A variant should have
    several solutions without any one of its rules. No given should follow from one rule and the
    houses, or lie on a line or mark. The limits of pages are those of print-on-demand services.

    Examples
    --------
    >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> for finding in check([line, line.replace("53", "35", 1), line]):
    ...     print(finding)
    puzzle 2: no solution
    puzzle 3: the same as puzzle 1, or equivalent to it
    """
    inspector = Inspector(generators.Known(as_puzzles(list(earlier), name="earlier")), symmetry)
    of_book, asked = list[Finding](), None
    if isinstance(puzzles, books.Book):
        of_book, asked, puzzles = pages_of(puzzles), puzzles.layout.asked, puzzles.records
    listed = [puzzles] if is_one(puzzles) else several(cast("Iterable[PuzzleLike]", puzzles))
    findings: list[Finding] = []
    for number, puzzle in enumerate(cast("Iterable[PuzzleLike]", listed), 1):
        findings += inspector.inspect(puzzle, number, f"puzzle {number}", kind, asked)
    return findings + of_book


def pages_of(book: "Book") -> list[Finding]:
    """Return the findings on the number of pages of a book."""
    return [Finding(None, "pages", note) for note in book.printing_notes]


def unreadable(number: int, reason: str) -> Finding:
    """Return the finding on a text that is no puzzle; the reason may begin with the fault."""
    fault = reason.partition(":")[0]
    known = {kind.value for kind in FaultKind}
    return Finding(number, fault if fault in known else FaultKind.UNREADABLE.value, reason)


class Inspector:
    """Inspects puzzles one after the other, and remembers them.

    Parameters
    ----------
    earlier : Known
        Puzzles that were printed before.
    symmetry : str
    """

    def __init__(self, earlier: "Known", symmetry: Symmetry = "none") -> None:
        one_of("symmetry", symmetry, generators.SYMMETRIES)
        self._earlier = earlier
        self._symmetry = symmetry
        self._seen: dict[int, list[tuple[str, Puzzle]]] = {}

    def inspect(
        self,
        value: PuzzleLike,
        number: int,
        place: str,
        kind: str | None = None,
        asked: "Mapping[Puzzle, Steps] | None" = None,
    ) -> list[Finding]:
        """Return the findings on the next puzzle; `place` is its name in those on later ones.

        `asked` has the wishes for the steps of some puzzles. A hard step that was wished for is no
        finding.
        """
        try:
            puzzle = check_puzzle(value, kind)
        except PuzzleError as error:
            faults = error.status.faults
            return [Finding(number, fault.kind.value, fault.message) for fault in faults]
        except PuzzleTypeError as error:
            return [unreadable(number, str(error))]
        if isinstance(puzzle, Variant) and puzzle.is_plain and puzzle.size in (9, 16, 25):
            puzzle = Sudoku(puzzle.text)  # it has no further rule, and a Sudoku has more disguises
        said = [*self._repeats(puzzle, place), *_hard_steps(puzzle, (asked or {}).get(puzzle))]
        said += _asymmetries(puzzle, self._symmetry)
        if isinstance(puzzle, Variant):
            said += [*_idle_rules(puzzle), *_needless_givens(puzzle), *_covered_givens(puzzle)]
        return [Finding(number, fault, reason) for fault, reason in said]

    def _repeats(self, puzzle: Puzzle, place: str) -> Iterator[Said]:
        alike = self._seen.setdefault(puzzle.equivalence_hash(), [])
        for earlier, other in alike:
            if puzzle == other or puzzle.equivalence_key() == other.equivalence_key():
                yield "repeated", f"the same as {earlier}, or equivalent to it"
                break
        alike.append((place, puzzle))
        if puzzle in self._earlier:
            yield "repeated", "printed before: an earlier puzzle is the same or equivalent"


def _hard_steps(puzzle: Puzzle, asked: "Steps | None") -> Iterator[Said]:
    from nando.solvers.logic.walkthrough import remembered_walk

    walk = remembered_walk(puzzle, asked and asked.ladder)  # the pages of a book show it, too
    if not walk.solved:
        blanks = how_many(walk.end.n_blanks, "cell")
        yield "not explained", f"the known techniques leave {blanks} blank: it takes guesses"
    ratings = sorted(taken.step.rating for taken in walk.steps)
    if len(ratings) > 1 and ratings[-1] - ratings[-2] >= FAR_ABOVE:
        hardest = max(walk.steps, key=lambda taken: taken.step.rating)
        named = (*asked.needed, *asked.used) if asked else ()
        if any(hardest.place_in(each.rungs) < len(each.rungs) for each in named):
            return
        yield (
            "one hard step",
            f"step {hardest.number} ({hardest.name}, {ratings[-1]:.1f}) is far above all others "
            f"(at most {ratings[-2]:.1f})",
        )


def _asymmetries(puzzle: Puzzle, symmetry: Symmetry) -> Iterator[Said]:
    from nando.generators.sudoku import images_of

    given = puzzle.givens.reshape(puzzle.shape) != 0
    images = images_of(np.arange(given.size).reshape(given.shape), symmetry)
    if any(image.shape != given.shape for image in images):
        rows, columns = given.shape
        yield "asymmetric", f"a board of {rows}x{columns} cells has no {symmetry} symmetry"
        return
    shown = np.stack([given.ravel()[image.ravel()] for image in images])
    alone = np.flatnonzero(given.ravel() & ~shown.all(axis=0)).tolist()
    if alone:
        yield "asymmetric", f"without {symmetry} symmetry: {_names(puzzle, alone)}"


def _idle_rules(puzzle: Variant) -> Iterator[Said]:
    """Yield the rules without which the puzzle has the same single solution."""
    from nando.generators.variants.candidate import is_unique, without_rules

    for kind in sorted({type(rule) for rule in puzzle.rules} - {Boxes}, key=lambda kind: kind.name):
        if is_unique(without_rules(puzzle, kind)):
            yield "idle rule", f"no step needs the rule {kind.name}: one solution without it"


def _needless_givens(puzzle: Variant) -> Iterator[Said]:
    """Yield the givens that a rule leaves no choice for, even without any given."""
    from nando.generators.variants.candidate import fixed_by_a_rule

    given = set(np.flatnonzero(puzzle.givens).tolist())
    places = puzzle.board.places(fixed_by_a_rule(puzzle) if given else ())
    fixed = sorted(given.intersection(places))
    if fixed:
        yield "needless given", f"given, but fixed by a rule alone: {_names(puzzle, fixed)}"


def _covered_givens(puzzle: Variant) -> Iterator[Said]:
    """Yield the givens on lines and marks that are drawn in the middle of cells."""
    import nando.drawing.rules.board  # noqa: F401  it fills the table of drawings
    from nando.drawing.rules.scene import DRAWINGS, Layer, Scene
    from nando.drawing.shapes import SCREEN

    scene = Scene(puzzle.board, SCREEN)
    given = np.flatnonzero(puzzle.givens).tolist()
    covered = [
        cell
        for rule in puzzle.rules
        for cell in rule.cells_named()
        if type(rule) in DRAWINGS
        and any(layer is Layer.LINE for layer, _ in DRAWINGS[type(rule)](rule, scene))
    ]
    places = sorted(set(puzzle.board.places(covered)).intersection(given))
    if places:
        yield "covered given", f"given on a line or mark: {_names(puzzle, places)}"


def _names(puzzle: Puzzle, places: Sequence[int]) -> str:
    named = ", ".join(map(puzzle.cell_name, places[:_LISTED]))
    left = len(places) - _LISTED
    return named if left <= 0 else f"{named} and {left} more"
