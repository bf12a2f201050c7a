"""The command that explains: the walk of a puzzle in words and pictures."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nando.cli.input import (
    Problems,
    Read,
    Source,
    announce_compiling,
    input_files,
    kind_of,
    progress,
    read_chunks,
)
from nando.cli.output import Columns, Format, Shown, output_format
from nando.cli.puzzles import Work, run_on_puzzles

if TYPE_CHECKING:
    from nando.drawing.walk import Section
    from nando.puzzles import Puzzle
    from nando.solvers.logic import Position, Scale, Step, Technique

_PICTURES = (".html", ".svg", ".png")

_SUDOKU = re.compile(r"[0-9A-Pa-p._*\s|+-]{20,}")
"""An argument that is no file but looks like a Sudoku; file names have other letters."""


def _columns(rating: str, *, told: bool) -> Columns:
    """Columns of the output; `rating` names what the kind of puzzle calls its rating."""
    steps: Columns = {"steps": list} if told else {"hardest_technique": str, "steps": int}
    whole: Columns = {"line": int, "puzzle": str, rating: float, "solved": bool}
    return {**whole, **steps, "error": str, "file": str}


class Shot(NamedTuple):
    """A step, its number from 1, and the position before it."""

    number: int
    step: "Step"
    marks: "Position"


class Walk(NamedTuple):
    """All steps of a puzzle, the position after them, the ladder they are from, and its scale."""

    puzzle: "Puzzle"
    shots: Sequence[Shot]
    end: "Position"
    ladder: "Sequence[Technique]"
    scale: "Scale"

    @property
    def solved(self) -> bool:
        """Whether the ladder suffices."""
        return self.end.n_blanks == 0

    @property
    def hardest(self) -> "Step | None":
        """The first of the hardest steps."""
        return max((shot.step for shot in self.shots), key=lambda s: s.rating, default=None)

    @property
    def rating(self) -> float | None:
        """Rating of the hardest step; None where the puzzle was not solved, and may be harder."""
        return self.hardest.rating if self.solved and self.hardest is not None else None


class Part(NamedTuple):
    """What of a walk is wanted: one step or all, and in which degree."""

    step: int | None = None
    degree: int | None = None

    def of(self, walk: Walk) -> Sequence[Shot]:
        """The steps wanted, none where the walk is shorter."""
        if self == Part():
            return walk.shots
        number = self.step or 1
        return walk.shots[number - 1 : number]

    def instead(self, walk: Walk) -> str:
        """What to say where no step is wanted that there is."""
        if self.step is not None and walk.shots:
            return f"There is no step {self.step}: the walk has {len(walk.shots)}."
        return _summary(walk)


def explain(
    arguments: list[str] | None,
    kind: str | None,
    output: Path | None,
    chosen: Format | None,
    *,
    hint: int | None,
    step: int | None,
) -> int:
    """Explain how puzzles are solved, step by step."""
    from nando.solvers.logic import scale_of

    sources = _sources(arguments)
    kind = kind_of(sources, kind)
    rating = scale_of(kind).column
    part = Part(step, hint)
    suffix = output.suffix.lower() if output is not None and chosen is None else ""
    if suffix in _PICTURES:
        assert output is not None
        return _draw(sources, kind, output, part)
    form = output_format(output, chosen, also=_PICTURES)
    if form is not Format.TABLE and hint is not None:
        raise ValueError(f"--hint is for people: leave it out, or leave out --format {form.value}")

    def prepare() -> Work:
        from nando.solvers.logic import record

        announce_compiling()

        def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
            rows = []
            for index, read in enumerate(good, first_index):
                walk = walk_of(read.puzzle)
                row: dict[str, Any] = {rating: walk.rating, "solved": walk.solved}
                if form is Format.TABLE:
                    row["shown"] = ("\n\n" if index else "") + _text(walk, part)
                elif form is Format.JSON:
                    row["steps"] = [
                        {"number": shot.number, **record(shot.step, shot.marks)}
                        for shot in part.of(walk)
                    ]
                else:
                    hardest = walk.hardest
                    row["hardest_technique"] = None if hardest is None else hardest.technique.name
                    row["steps"] = len(walk.shots)
                rows.append(row)
            return rows

        return work

    columns = _columns(rating, told=form is Format.JSON)
    return run_on_puzzles(sources, kind, output, chosen, columns, [Shown("", 0, "shown")], prepare)


def _sources(arguments: list[str] | None) -> list[Source] | None:
    """Files as they are; a puzzle given as an argument as the bytes of its text."""
    if not arguments:
        return None
    return [text.encode() if _is_puzzle(text) else text for text in arguments]


def _is_puzzle(text: str) -> bool:
    """Whether an argument is no file but a puzzle, be it one with faults."""
    from nando.puzzles import kind_of_line

    if text == "-" or Path(text[:255]).exists():
        return False
    return _SUDOKU.fullmatch(text) is not None or kind_of_line(text) is not None


def walk_of(puzzle: Any, ladder: "Sequence[Technique] | None" = None) -> Walk:
    """The walk of a puzzle with exactly one solution."""
    from nando.solvers.logic import LogicSolver, scale_of

    solver = LogicSolver() if ladder is None else LogicSolver(tuple(ladder))
    marks = solver.start(puzzle)
    shots = []
    for number, step in enumerate(solver.steps(puzzle), 1):
        shots.append(Shot(number, step, marks))
        marks = marks.after(step)
    return Walk(puzzle, shots, marks, solver.rungs_for(puzzle), scale_of(puzzle.kind))


# ---------------------------------------------------------------- words


def _text(walk: Walk, part: Part) -> str:
    from nando.solvers.logic import opens_paragraph

    shots = part.of(walk)
    if part.degree is not None:
        return "\n".join(_sentence(shot, part) for shot in shots) or part.instead(walk)
    if part.step is not None:
        told = [f"{shot.number}. {_sentence(shot, part)}" for shot in shots]
        return "\n".join(told) or part.instead(walk)
    lines = [walk.puzzle.text, ""]
    width = len(str(len(shots)))
    for before, shot in zip([None, *shots], shots, strict=False):
        if before and opens_paragraph(shot.step) and not opens_paragraph(before.step):
            lines.append("")
        lines.append(f"{shot.number:{width}}. {_sentence(shot, part)}")
    lines += ["", _summary(walk)] if shots else [_summary(walk)]
    techniques = _techniques(walk)
    if techniques:
        longest = max(len(name) for name, _, _ in techniques)
        lines += [f"  {count:4}  {name:{longest}}  {rating}" for name, rating, count in techniques]
    return "\n".join(lines)


def _sentence(shot: Shot, part: Part) -> str:
    from nando.solvers.logic import describe, hint

    if part.degree is None:
        return describe(shot.step, shot.marks)
    return hint(shot.step, shot.marks, part.degree)


def _summary(walk: Walk) -> str:
    """What is said of the whole walk."""
    scale = walk.scale
    n_steps = f"{len(walk.shots)} step{'' if len(walk.shots) == 1 else 's'}"
    if walk.rating is not None:
        return f"{_upper(scale.name)} {walk.rating:.1f} on {scale.source}, {n_steps}."
    if walk.solved:
        return "The grid is full: nothing is left to explain."
    hardest = walk.hardest
    so_far = f" The steps so far rate {hardest.rating:.1f}." if hardest is not None else ""
    return (
        f"Stuck after {n_steps}, {walk.end.n_blanks} blanks left: no technique up to "
        f"{walk.ladder[-1].name} goes on; {scale.beyond(walk.ladder[-1])}.{so_far}"
    )


def _upper(name: str) -> str:
    return name[0].upper() + name[1:]


def _techniques(walk: Walk) -> list[tuple[str, str, int]]:
    """Name, rating or range of ratings, and count of each technique used, easiest first."""
    ratings: dict[str, list[float]] = {}
    for shot in sorted(walk.shots, key=lambda shot: shot.step.technique.rating):
        ratings.setdefault(shot.step.technique.name, []).append(shot.step.rating)
    return [
        (name, f"{min(r):.1f}" if min(r) == max(r) else f"{min(r):.1f} to {max(r):.1f}", len(r))
        for name, r in ratings.items()
    ]


# ---------------------------------------------------------------- pictures


def _draw(sources: list[Source] | None, kind: str, output: Path, part: Part) -> int:
    from nando.puzzles.writing import replaced_file

    suffix = output.suffix.lower()
    if suffix == ".png":
        from nando.drawing.png import check_png

        check_png()
    paths = input_files(sources)
    problems = Problems(several_files=len(paths) > 1)
    walks: list[Walk] = []
    with replaced_file(output) as file:
        announce_compiling()
        with progress("explained:", to_file=True) as advance:
            for chunk in read_chunks(paths, kind):
                problems.note(chunk)
                walks += [walk_of(read.puzzle) for read in chunk if read.error is None]
                advance(len(chunk))
        status = problems.report(in_full=True)
        if not walks:
            raise ValueError("no puzzle can be used, so there is nothing to draw")
        if suffix == ".html":
            from nando.drawing.walk import html

            name = kind.capitalize()
            title = (
                f"A {name}, step by step" if len(walks) == 1 else f"{name} puzzles, step by step"
            )
            for text in html(title, kind, [_section(walk, part) for walk in walks]):
                file.write(text.encode())
            return status
        if len(walks) > 1:
            raise ValueError(f"{output}: a picture shows one puzzle, got {len(walks)}; use .html")
        from nando.drawing.sheet import sheet_of

        sheet = sheet_of(_section(walks[0], part).panels, captions=part.degree is None)
        if suffix == ".svg":
            from nando.drawing.svg import svg

            file.write(svg(sheet, unit=40).encode())
        else:
            from nando.drawing.png import write_png

            write_png(sheet, file, unit=64 if len(sheet.shapes) < 2_000 else 40)
    return status


def _section(walk: Walk, part: Part) -> "Section":
    from nando.drawing.kinds import position
    from nando.drawing.walk import Panel, Section

    degree = part.degree or 3
    panels = [
        Panel(
            shot.number,
            _sentence(shot, part),
            position(shot.marks, shot.step, degree),
        )
        for shot in part.of(walk)
    ]
    whole = part == Part()
    return Section(
        walk.puzzle.text,
        _summary(walk) if whole else "",
        _techniques(walk) if whole else [],
        panels or [Panel(part.step or 0, part.instead(walk), position(walk.end))],
    )
