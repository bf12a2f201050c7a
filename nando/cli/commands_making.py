"""Commands that make puzzles: generate, book."""

from pathlib import Path
from typing import Annotated

import typer

from nando.cli.options import Form, Jobs, MadeKind, MadeSeed, Model, Resume, output_option

MadeOutput = Annotated[
    Path | None,
    output_option("Write here: .csv .json .jsonl .parquet, or .txt .sdm for bare lines."),
]
Order = Annotated[
    int | None,
    typer.Option(help="Sudoku: 3 (9x9), 4 (16x16) or 5 (25x25).", show_default="3"),
]
SymmetryOption = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        help="Sudoku, of the givens: none, rotational, rotational-90, mirror or diagonal.",
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", metavar="WxH", help="Nurikabe: columns and rows.", show_default="10x10"),
]
MeanSize = Annotated[
    float | None, typer.Option(help="Nurikabe: mean size of the islands.", show_default="3")
]
Largest = Annotated[
    int | None,
    typer.Option(help="Nurikabe: cells of the largest island; default: 2.5 times the mean."),
]
Unknown = Annotated[
    int | None, typer.Option(help="Nurikabe: islands whose size is not told, written ?.")
]
MostPerHouse = Annotated[
    int | None,
    typer.Option(help="Most givens in a row, column or box; default: two less than its cells."),
]
Tolerance = Annotated[str, typer.Option(help="How far the predicted time may be off.")]
Exclude = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Puzzles that must not come up, nor equivalent ones."),
]


def _nurikabe(
    size: str | None, mean_size: float | None, largest: int | None, unknown: int | None
) -> dict[str, object]:
    """Options of a source of Nurikabe."""
    from nando.cli.arguments import size as size_of

    shape = None if size is None else size_of(size)
    return {"shape": shape, "mean_size": mean_size, "largest": largest, "unknown": unknown}


def generate(
    output: MadeOutput = None,
    form: Form = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Predicted time, such as 8min; Nurikabe: 200points."),
    ] = None,
    grade: Annotated[
        str | None, typer.Option(help="beginner, easy, medium, hard or expert.")
    ] = None,
    percentile: Annotated[
        float | None,
        typer.Option(metavar="0..100", help="Share of the model's puzzles that are faster."),
    ] = None,
    tolerance: Tolerance = "10%",
    count: Annotated[int, typer.Option("--count", "-n", help="Number of puzzles.")] = 1,
    kind: MadeKind = "sudoku",
    order: Order = None,
    symmetry: SymmetryOption = None,
    givens: Annotated[int | None, typer.Option(help="Number of givens.")] = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="No given can be spared.")] = False,
    pattern: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Put givens where this grid has no blank (. 0 _ *)."),
    ] = None,
    most_per_house: MostPerHouse = None,
    size: Size = None,
    mean_size: MeanSize = None,
    largest: Largest = None,
    unknown: Unknown = None,
    exclude: Exclude = None,
    model: Model = None,
    rating: Annotated[
        bool, typer.Option("--rating/--no-rating", help="Rate the puzzles that are made.")
    ] = True,
    seed: MadeSeed = 0,
    jobs: Jobs = None,
    resume: Resume = False,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1, help="Puzzles looked at for each before giving up.", show_default="3000"
        ),
    ] = None,
) -> int:
    """Make puzzles with exactly one solution, at a predicted time if one is asked for."""
    from nando.cli import generate as _generate
    from nando.cli.making import Wanted

    source = {
        "order": order,
        "symmetry": symmetry,
        "givens": givens,
        "minimal": minimal,
        "pattern": None if pattern is None else _generate.pattern_of(pattern),
        "most_per_house": most_per_house,
        **_nurikabe(size, mean_size, largest, unknown),
    }
    return _generate.generate(
        output,
        form,
        kind=kind,
        source=source,
        wanted=Wanted.of(target, grade, percentile, tolerance),
        count=count,
        run=_generate.Run(seed, exclude, model, rating, jobs, resume, budget),
    )


def book(
    output: Annotated[
        Path,
        output_option("A .pdf or .html file."),
    ],
    spec: Annotated[
        Path | None,
        typer.Argument(metavar="SPEC.TOML", help="A file that describes the whole book."),
    ] = None,
    grades: Annotated[
        str | None, typer.Option(metavar="NAME:COUNT,...", help="Such as easy:12,hard:12.")
    ] = None,
    targets: Annotated[
        str | None, typer.Option(metavar="TIME:COUNT,...", help="Such as 4min:12,8min:12.")
    ] = None,
    bank: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Existing puzzles, or a book's manifest."),
    ] = None,
    title: Annotated[str, typer.Option(help="On the title page.")] = "",
    subtitle: Annotated[str, typer.Option(help="Below the title.")] = "",
    page_size: Annotated[
        str, typer.Option(help="a4, a5, letter, 5x8, 5.5x8.5, 6x9, 8x10 or 8.5x11.")
    ] = "a4",
    per_page: Annotated[int, typer.Option(help="Puzzles a page: 1, 2, 4, 6, 8, 9 or 12.")] = 4,
    hints: Annotated[
        bool, typer.Option("--hints", help="Add a page of cells to begin with.")
    ] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Write a contact sheet of all pages, a PNG, too.")
    ] = False,
    cover: Annotated[
        bool, typer.Option("--cover", help="Write a cover for a paperback, a PDF, too.")
    ] = False,
    kind: Annotated[
        str | None,
        typer.Option(
            "--puzzle",
            help="Kind of puzzle: sudoku or nurikabe.",
            show_default="sudoku, or that of the bank",
        ),
    ] = None,
    order: Order = None,
    symmetry: SymmetryOption = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="No given can be spared.")] = False,
    most_per_house: MostPerHouse = None,
    size: Size = None,
    mean_size: MeanSize = None,
    largest: Largest = None,
    unknown: Unknown = None,
    tolerance: Tolerance = "10%",
    exclude: Exclude = None,
    model: Model = None,
    seed: MadeSeed = 0,
    jobs: Jobs = None,
    resume: Resume = False,
) -> int:
    """Print a book of puzzles by grade, with a manifest that makes it again."""
    from nando.cli import generate as _generate

    run = _generate.Run(seed, exclude, model, True, jobs, resume)
    if spec is not None:
        _generate.leave_to_the_file(
            grades=grades,
            targets=targets,
            **{"from": bank},
            title=title,
            subtitle=subtitle,
            hints=hints,
            puzzle=kind,
            order=order,
            symmetry=symmetry,
            minimal=minimal,
            most_per_house=most_per_house,
            size=size,
            mean_size=mean_size,
            largest=largest,
            unknown=unknown,
            seed=seed,
        )
        return _generate.book_of_file(
            spec, output, run=run, tolerance=tolerance, preview=preview, cover=cover
        )
    if kind in (None, "sudoku") and symmetry is None:
        symmetry = "rotational"
    source = {
        "order": order,
        "symmetry": symmetry,
        "minimal": minimal,
        "most_per_house": most_per_house,
        **_nurikabe(size, mean_size, largest, unknown),
    }
    design = {
        "title": title,
        "subtitle": subtitle,
        "page_size": page_size,
        "per_page": per_page,
        "hints": hints,
    }
    return _generate.book(
        output,
        grades=grades,
        targets=targets,
        bank=bank,
        kind=kind,
        source=source,
        tolerance=tolerance,
        run=run,
        design=design,
        preview=preview,
        cover=cover,
    )
