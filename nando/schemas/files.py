"""Files that commands write beside rows, or that Python writes."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from nando.schemas.rows import Amount, Count, Generated, Number
from nando.schemas.schema import Keywords, describe

Proper = Annotated[float, Keywords(exclusiveMinimum=0, exclusiveMaximum=1)]


class PartsSettings(TypedDict):
    """What ratings depend on."""

    kind: str
    """Kind of puzzle: sudoku, nurikabe or variant."""
    coverage: Proper | None
    """Share of times inside the interval; null for the model's own."""
    model_id: str
    """Name of the model's data, and a hash of everything that moves a rating."""
    runs: Number | None
    """Runs of each solver; null for each feature's own number."""
    random_state: Count
    """Seed of the solver runs."""
    columns: dict[str, Number]
    """Version of the columns of each kind of puzzle."""
    nando: str
    """Version of nando that rated."""


class Part(TypedDict):
    """A part."""

    name: Annotated[str, Keywords(pattern=r"^part-[0-9]{5,}\.parquet$")]
    """Its Parquet file in the folder; `nando schema rate` gives the columns."""
    file: str
    """The file that was read."""
    first_row: Count
    """Number of the row before its first one; 0 for a whole file."""
    rows: Count | None
    """Puzzles read; null until the part is done."""
    bad: Count | None
    """Puzzles among them that cannot be used."""
    sha256: Annotated[str, Keywords(pattern="^[0-9a-f]{64}$")] | None
    """Hash of its file."""


@describe("parts", additionalProperties=False)
class Parts(TypedDict):
    """The manifest of a folder of parts.

    What `nando rate bank/ -o ratings/` keeps as _manifest.json: which part of the input each
    Parquet file has, and what the ratings depend on.
    """

    format: Literal["nando parts 1"]
    """Version of the manifest."""
    settings: PartsSettings
    """Everything the ratings depend on."""
    parts: list[Part]
    """The parts, in order."""


class Published(TypedDict):
    """What was published."""

    value: float | None
    """The published number; null where a table has only a sign or an order."""
    low: float | None
    """Least that agrees with it; null for no bound."""
    high: float | None
    """Most that agrees with it; null for no bound."""
    instances: Literal["same", "other", "order"]
    """Whether it is measured on the paper's instances, or on others where the number itself or only
    an order must come out."""
    reason: str
    """Why this interval, or why nothing can be measured."""


class PublishedCell(TypedDict):
    """A published number and the measured one."""

    row: str
    """Row of the published table."""
    column: str
    """Its column."""
    published: Published
    """What was published."""
    measured: float | None
    """The number measured now."""
    error: float | None
    """Its standard error; 0 where chance has no part in it."""
    verdict: str
    """Whether they agree."""


class Curve(TypedDict):
    """A line of a figure."""

    panel: str
    """The panel that it is in."""
    label: str
    """What it shows."""
    x: list[float]
    """Places."""
    y: list[float | None]
    """Values."""
    published: bool
    """Whether the paper printed it."""


@describe("reproduction", additionalProperties=False)
class Reproduction(TypedDict):
    """The result of an experiment.

    What `nando reproduce -o DIR` keeps of an experiment, as DIR/EXPERIMENT.json.
    """

    name: str
    """Name of the experiment."""
    seed: Count
    """Seed of the runs."""
    effort: Literal["quick", "full"]
    """How much was run."""
    instances: str
    """What was run on, and how often."""
    cells: list[PublishedCell]
    """The numbers of the table."""
    curves: list[Curve]
    """The lines of the figure."""
    seconds: Amount
    """Time taken."""
    version: str
    """Version of nando that measured."""


@describe()
class BookSection(TypedDict):
    """A part of a book."""

    title: str
    """Title of the section."""
    per_page: Number
    """Puzzles a page."""
    records: list[Generated]
    """Its puzzles."""


@describe("book")
class Book(TypedDict):
    """The manifest of a book.

    What `nando book` writes beside a book, and makes it again from.
    """

    book: Literal[2]
    """Version of the manifest."""
    nando: str
    """Version of nando that wrote it."""
    spec: dict[str, Any]
    """The book's settings, as `nando book spec.toml` reads them; docs/howto/book.md lists them."""
    sections: list[BookSection]
    """The parts of the book, in order."""


@describe()
class NurikabeNumbers(TypedDict):
    """Nurikabe, and other kinds."""

    problem: list[list[Annotated[int, Keywords(minimum=-1)]]]
    """Rows of numbers; 0 is a cell without one, -1 an island of unknown size."""


@describe()
class Rule(TypedDict):
    """A rule: its name, and its cells, lines and numbers."""

    rule: str
    """Name of the rule."""


@describe()
class VariantBoard(TypedDict):
    """A variant of Sudoku."""

    givens: str
    """A symbol for each place, row by row, . for a blank; or the size, for example 6x6, without
    givens."""
    grids: NotRequired[list[str]]
    """Upper left cell of each grid, where there are several."""
    rules: list[Rule]
    """Every rule."""
    boxed: NotRequired[bool]
    """False for a grid without boxes."""


describe(
    "convert",
    "Puzzles as JSON.\n\nWhat `nando convert` writes with --to json or into a .json file.",
)(
    list[
        Annotated[list[list[Count]], "Sudoku: rows of digits; 0 is an empty cell."]
        | NurikabeNumbers
        | VariantBoard
    ]
)
