"""The command `explain`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from nando.cli.options import Files, Form, Kind, output_option
from nando.cli.output import Destination, Format
from nando.cli.pipeline import run
from nando.cli.progress import announce_compiling, progress
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.table import Shown
from nando.cli.writers import Columns, Layout

if TYPE_CHECKING:
    from nando.drawing.walk import Section
    from nando.solvers.logic import Ladder, Walkthrough, WalkthroughStep

_PICTURES = (".html", ".svg", ".png")


class Part(NamedTuple):
    """The wanted part of a walkthrough: one step or all, and the degree of hints."""

    step: int | None = None
    degree: int | None = None

    def of(self, walk: "Walkthrough") -> "Sequence[WalkthroughStep]":
        """The wanted steps; none if the walkthrough is shorter."""
        if self == Part():
            return walk.steps
        number = self.step or 1
        return walk.steps[number - 1 : number]

    def instead(self, walk: "Walkthrough") -> str:
        """The message if the wanted step does not exist."""
        if self.step is not None and walk.steps:
            return f"There is no step {self.step}: the walk has {len(walk.steps)}."
        return walk.summary()

    def text(self, walk: "Walkthrough") -> str:
        """The wanted steps in words."""
        if self == Part():
            return str(walk)
        told = [taken.sentence(self.degree) for taken in self.of(walk)]
        if self.degree is None:
            told = [f"{self.step}. {sentence}" for sentence in told]
        return "\n".join(told) or self.instead(walk)


def explain(
    puzzles: Files = None,
    output: Annotated[
        Path | None,
        output_option("Draw into .html .svg or .png, or write .txt .csv .json .jsonl .parquet."),
    ] = None,
    form: Form = None,
    hint: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=3,
            help="Only the next step: 1 where to look, 2 the pattern, 3 all of it.",
        ),
    ] = None,
    step: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only step N.")] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME", help="Use these techniques only, such as singles,pairs."),
    ] = None,
    without: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME", help="Use no techniques such as x-wing,chains."),
    ] = None,
    kind: Kind = None,
) -> int:
    """Explain how a person solves a puzzle: each step with its reason, in words or pictures."""
    from nando.solvers.logic import scale_of, select_techniques, standard_ladder, walk_through

    files = PuzzleFiles(puzzles, kind)
    part = Part(step, hint)
    rating = scale_of(files.kind).column
    ladder = select_techniques(
        standard_ladder(files.kind), only=_names(only), without=_names(without) or ()
    )
    destination = Destination(output, form, others=_PICTURES)
    if form is None and destination.suffix in _PICTURES:
        assert output is not None
        return _draw(files, output, part, ladder)
    wanted = destination.form
    if wanted is not Format.TABLE and hint is not None:
        raise ValueError(f"--hint is for text output: leave it out, or leave out --format {wanted}")

    def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        rows = []
        for index, read in enumerate(good, first_index):
            walk = walk_through(read.puzzle, ladder)
            row: dict[str, Any] = {rating: walk.rating, "solved": walk.solved}
            if wanted is Format.TABLE:
                row["shown"] = ("\n\n" if index else "") + part.text(walk)
            elif wanted is Format.JSON:
                row["steps"] = [taken.to_dict() for taken in part.of(walk)]
            else:
                hardest = walk.hardest
                row["hardest_technique"] = None if hardest is None else hardest.technique.name
                row["steps"] = len(walk.steps)
            rows.append(row)
        return rows

    return run(files, work, _layout(rating, told=wanted is Format.JSON), destination)


def _layout(rating: str, *, told: bool) -> Layout:
    """The layout of walks; `rating` is the kind's name for its rating."""
    steps: Columns = {"steps": list} if told else {"hardest_technique": str, "steps": int}
    whole: Columns = {"line": int, "puzzle": str, rating: float, "solved": bool}
    return Layout({**whole, **steps, "error": str, "file": str}, [Shown("", 0, "shown")])


# ---------------------------------------------------------------- pictures


def _names(text: str | None) -> list[str] | None:
    """The names in an option; None where it is not given."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _draw(files: PuzzleFiles, output: Path, part: Part, ladder: "Ladder") -> int:
    from nando.puzzles.writing import replaced_file
    from nando.solvers.logic import walk_through

    suffix = output.suffix.lower()
    if suffix == ".png":
        from nando.drawing.png import check_png

        check_png()
    walks: list[Walkthrough] = []
    with replaced_file(output) as file:
        announce_compiling()
        with progress("explained:", to_file=True) as advance:
            for chunk in files.chunks():
                good = [read.puzzle for read in chunk if read.error is None]
                walks += [walk_through(puzzle, ladder) for puzzle in good]
                advance(len(chunk))
        status = files.report()
        if not walks:
            raise ValueError("no puzzle can be used, so there is nothing to draw")
        if suffix == ".html":
            from nando.drawing.walk import html

            name = files.kind.capitalize()
            title = (
                f"A {name}, step by step" if len(walks) == 1 else f"{name} puzzles, step by step"
            )
            for text in html(title, files.kind, [_section(walk, part) for walk in walks]):
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


def _section(walk: "Walkthrough", part: Part) -> "Section":
    from nando.drawing.kinds import position
    from nando.drawing.walk import Panel, Section

    degree = part.degree or 3
    panels = [
        Panel(
            taken.number,
            taken.sentence(part.degree),
            position(taken.position, taken.step, degree),
        )
        for taken in part.of(walk)
    ]
    whole = part == Part()
    return Section(
        walk.puzzle.text,
        walk.summary() if whole else "",
        walk.techniques() if whole else [],
        panels or [Panel(part.step or 0, part.instead(walk), position(walk.end))],
    )
