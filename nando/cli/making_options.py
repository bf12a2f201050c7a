"""Options of the commands that make puzzles: source and tolerance."""

from typing import Annotated

import typer

Order = Annotated[
    int | None,
    typer.Option(help="Sudoku: 3 (9x9), 4 (16x16) or 5 (25x25); default: 3."),
]
Symmetry = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        help="Sudoku: symmetry of the givens: none, rotational, rotational-90, mirror or diagonal.",
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", metavar="WxH", help="Nurikabe: columns and rows; default: 10x10."),
]
MeanSize = Annotated[
    float | None, typer.Option(help="Nurikabe: mean size of the islands; default: 3.")
]
Largest = Annotated[
    int | None,
    typer.Option(help="Nurikabe: cells of the largest island; default: 2.5 times the mean."),
]
Unknown = Annotated[int | None, typer.Option(help="Nurikabe: islands of unknown size, written ?.")]
MostPerHouse = Annotated[
    int | None,
    typer.Option(help="Most givens in a row, column or box; default: two less than its cells."),
]
Tolerance = Annotated[str, typer.Option(help="How far the prediction may be from the target.")]
Exclude = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Puzzles to avoid, with all equivalent ones."),
]
