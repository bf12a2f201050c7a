"""Files of models, and files that commands write beside rows or that Python writes.

With these, all schemas are named: at the end, they are read by the names of commands and files.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from nando.rating.record import ModelRecord
from nando.schemas import steps
from nando.schemas.rows import Amount, Count, Generated, Number
from nando.schemas.schema import NAMED, Keywords, describe, named_schema

Positive = Annotated[float, Keywords(exclusiveMinimum=0)]
Proper = Annotated[float, Keywords(exclusiveMinimum=0, exclusiveMaximum=1)]
ModelId = Annotated[
    str,
    "Name of the model's data, and a hash of everything that moves a result.",
    Keywords(pattern="^.+-[0-9a-f]{12}$"),
]


@describe()
class Provenance(TypedDict):
    """What a model was fitted to."""

    name: NotRequired[str]
    """Name of the data."""
    nando: NotRequired[str]
    """Version of nando that fitted it."""


@describe("model", additionalProperties=False)
@dataclass(frozen=True, kw_only=True)
class RatingModel(ModelRecord):
    """A model of difficulty.

    What `nando fit` and a `nando.rating.Rater` write, and `nando rate --model` reads: of a kind of
    puzzle, for the typical crowd, a crowd or a person.

    Attributes
    ----------
    format : str
        Version of the file.
    model_id : str
        Name of the model's data, and a hash of everything that moves a rating.
    provenance : Provenance
        What it was fitted to, when, and by which version; its keys depend on the data.
    """

    format: Literal["nando model 5"]
    model_id: ModelId
    provenance: Provenance


@describe("persons", additionalProperties=False)
class PersonModel(TypedDict):
    """A model of single players.

    What `nando.rating.PersonModel.to_json` writes: the players' games, and what was fitted to
    them.
    """

    format: Literal["nando person model 1"]
    """Version of the file."""
    model_id: ModelId
    provenance: Provenance
    """What it was fitted to, when, and by which version; its keys depend on the data."""
    dof: Annotated[float, Keywords(exclusiveMinimum=2, maximum=1000)]
    """Degrees of freedom of the noise."""
    variances: dict[str, Positive]
    """Variances of log seconds, by what they come from."""
    z_mean: float
    """Mean of the predicted log difficulty."""
    players: list[str]
    """Names of the players."""
    puzzles: dict[str, float]
    """Predicted log difficulty of each puzzle."""
    games: list[tuple[Count, Count, Positive, float]]
    """The games: positions of player and puzzle, seconds, weight."""


class LearningPlayer(TypedDict):
    """A player who learns the habits of a game from its fills."""

    share: Proper
    """Share of the weight before the first fill."""
    coefficients: dict[str, float]
    """Weight of each column before the first fill; the columns depend on the kind of puzzle."""
    rates: dict[str, float]
    """How far a fill moves each weight."""


class KnownPlayer(TypedDict):
    """What is believed of a player whose earlier games are known."""

    games: Count
    """Number of earlier games."""
    mean: list[float]
    """Weight of each column."""
    precision: list[list[float]]
    """Inverse covariance of the weights, row by row."""


class FillingPerson(TypedDict):
    """A player."""

    name: str
    """Where the player is from."""
    weight: Amount
    """How likely a new player is like this one."""
    slips: Annotated[list[float], Keywords(minItems=2, maxItems=2)]
    """Shares of the fills that are drawn evenly among the cells at hand, and among all open
    cells."""
    coefficients: dict[str, float]
    """Weight of each column of a fill; the columns depend on the kind of puzzle."""


class FillOrder(TypedDict):
    """How people fill."""

    kind: str
    """Kind of puzzle."""
    learning: NotRequired[LearningPlayer]
    """A player who learns the habits of a game from its fills; absent where there is none."""
    player: NotRequired[KnownPlayer]
    """What is believed of a player whose earlier games are known; absent for strangers."""
    persons: Annotated[list[FillingPerson], Keywords(minItems=1)]
    """The players that a new one may be like."""


class FillingProgram(TypedDict):
    """A program."""

    name: str
    """Its name."""
    family: str
    """What kind of method it is."""
    words: str
    """What it does, in words."""
    coefficients: dict[str, float]
    """Weight of each column of a fill; the columns depend on the kind of puzzle."""


class Programs(TypedDict):
    """How programs fill."""

    programs: list[FillingProgram]
    """The programs."""


@describe("fill_order", additionalProperties=False)
class FillOrderModel(TypedDict):
    """A model of fill orders.

    What `nando fit --job order` writes, and `nando order --model` and `nando audit --model` read.
    """

    format: Literal["nando fill order 2"]
    """Version of the file."""
    model_id: ModelId
    provenance: Provenance
    """What it was fitted to, when, and by which version; its keys depend on the data."""
    order: FillOrder
    """How people fill."""
    audit: NotRequired[Programs]
    """How programs fill; absent where games of the kind are not audited."""


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
    digits: NotRequired[str]
    """The lowest and the highest digit, for example 0-8, where the lowest is not 1."""
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


del steps  # it names further schemas

SCHEMAS = tuple(sorted(NAMED))
"""Names of the schemas, each that of a command or of a file."""


def load_schema(name: str) -> dict[str, Any]:
    """Return the JSON schema of a command's output, or of a file.

    That of a command describes one object: a line of the output on a pipe or in a ``.jsonl`` file,
    or an item of the list in a ``.json`` file. That of a model, manifest or other file describes
    the whole file.

    Parameters
    ----------
    name : str
        One of :data:`SCHEMAS`, for example ``"rate"``.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the known ones.

    Examples
    --------
    >>> load_schema("rate")["properties"]["line"]["type"]
    'integer'
    """
    if name not in SCHEMAS:
        raise ValueError(f"no schema {name!r}; known: {', '.join(SCHEMAS)}")
    return named_schema(name)
