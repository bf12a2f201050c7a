"""Walks and lists of steps for a command, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nando.checks import one_of
from nando.cli.progress import progress
from nando.cli.reading import PuzzleFiles, Read, report_bad
from nando.names import Style

if TYPE_CHECKING:
    from nando.puzzles import Entry
    from nando.solvers.logic import (
        Ladder,
        Listing,
        Order,
        Position,
        Walkthrough,
        WalkthroughStep,
    )


class Part(NamedTuple):
    """The requested part of a walkthrough: one step or all steps, and the degree of hints."""

    step: int | None = None
    degree: int | None = None

    def of(self, walk: "Walkthrough | Listing") -> "Sequence[WalkthroughStep]":
        """Return the requested steps; none if the walkthrough is shorter."""
        if self == Part():
            return walk.steps
        number = self.step or 1
        return walk.steps[number - 1 : number]

    def is_beyond(self, walk: "Walkthrough | Listing") -> bool:
        """Return True if the requested step is after the last step."""
        return self.step is not None and self.step > len(walk.steps)

    def instead(self, walk: "Walkthrough | Listing") -> str:
        """Return the message for a requested step that does not exist."""
        if self.step is not None and walk.steps:
            from nando.solvers.logic.language import words_of

            words = words_of(walk.language)
            return words("walk.no_step", number=self.step, n=len(walk.steps))
        return walk.summary()

    def text(self, walk: "Walkthrough | Listing") -> str:
        """Return the requested steps in words."""
        if self == Part():
            return str(walk)
        sentences = [taken.sentence(self.degree) for taken in self.of(walk)]
        if self.degree is None:
            sentences = [f"{self.step}. {sentence}" for sentence in sentences]
        return "\n".join(sentences) or self.instead(walk)


@dataclass(frozen=True)
class WayOptions:
    """How puzzles are explained: from where, by which techniques, and in which words."""

    standing: str | None = None
    every: bool = False
    effort: int | None = None
    shortest: bool = False
    only: str | None = None
    without: str | None = None
    order: str | None = None
    style: Style = "nando"
    language: str = "en"

    def check(self) -> None:
        """Raise ValueError for options that contradict each other, or an unknown language."""
        from nando.solvers.logic import LANGUAGES

        if self.every and self.shortest:
            raise ValueError(
                "--shortest is for a walk, and --all lists single steps: leave one out"
            )
        if self.effort is not None and not self.every:
            raise ValueError("--effort bounds what --all lists: add --all, or leave it out")
        one_of("--language", self.language, LANGUAGES)

    def way(self, kind: str, standing: str | None = None) -> "Way":
        """Return how puzzles of a kind are explained, from the position in a text, if any.

        Raises
        ------
        OSError, ValueError
            For a file that cannot be read, an unknown technique, or an order for another kind.
        """
        from nando.solvers.logic import read_order, select_techniques, standard_ladder

        if self.order is not None and kind != "sudoku":
            raise ValueError(f"--order is for Sudoku, not for {kind}: leave it out")
        if self.shortest and kind == "nurikabe":
            raise ValueError(
                "--shortest is for Sudoku and variants; each step of a Nurikabe decides a cell, so "
                "none can be left out"
            )
        tried = None if self.order is None else read_order(self.order)
        whole = standard_ladder(kind) if tried is None else tried.ladder
        without = _names(self.without) or ()
        ladder = select_techniques(whole, only=_names(self.only), without=without)
        return Way(self, ladder, tried, standing)


class Way(NamedTuple):
    """How puzzles are explained, with the techniques that are tried and the text to start from."""

    options: WayOptions
    ladder: "Ladder"
    order: "Order | None"
    standing: str | None

    def start(self, entry: "Entry") -> "Position | None":
        """Return the position where an entry begins, or None if it begins with the givens.

        PuzzleError if the position is wrong.
        """
        from nando.solvers.logic import LogicSolver

        assert entry.puzzle is not None
        apart = self.standing is not None
        text = self.standing if self.standing is not None else entry.text
        return LogicSolver().read_position(entry.puzzle, text, apart=apart)

    def faults(self, entry: "Entry") -> str | None:
        """Return the error of the position where an entry begins, or None."""
        try:
            self.start(entry)
        except ValueError as error:
            return str(error) if self.standing is None else f"--from: {error}"
        return None

    def of(self, read: Read) -> "Walkthrough | Listing":
        """Return the walkthrough of a puzzle from its position, or the list of its steps."""
        from nando.solvers.logic import EFFORT, list_steps, shortest, walk_through

        start, options = self.start(read.entry), self.options
        wording = {"style": options.style, "language": options.language}
        if options.every:
            bound = EFFORT if options.effort is None else options.effort
            return list_steps(read.puzzle, self.ladder, start, effort=bound, **wording)
        walk = walk_through(read.puzzle, self.ladder, start, order=self.order, **wording)
        return shortest(walk) if options.shortest else walk


def _names(text: str | None) -> list[str] | None:
    """Return the names in an option; None if the option is not given."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def reported(beyond: list[str], part: Part, files: PuzzleFiles) -> int:
    """Report the puzzles without the requested step, and return the exit status."""
    if not beyond:
        return 0
    summary = f"{len(beyond):,} of {files.n_read:,} puzzles have no step {part.step}"
    return report_bad(summary, beyond, len(beyond))


def explained(files: PuzzleFiles, way: Way) -> "tuple[list[Walkthrough | Listing], bool]":
    """Return the walks of all good puzzles, or after Ctrl-C the finished walks and True."""
    walks: list[Walkthrough | Listing] = []
    try:
        with progress("explained:", to_file=True, total=files.expected) as advance:
            for chunk in files.chunks():
                for read in chunk:
                    if read.error is None:
                        walks.append(way.of(read))
                    advance(1)
    except KeyboardInterrupt:
        if not walks:  # nothing to keep: the old file is more useful
            raise
        return walks, True
    return walks, False
