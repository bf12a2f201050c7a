"""Files of models, which commands fit and read."""

from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

from nando.rating.record import ModelRecord
from nando.schemas.rows import Amount, Count
from nando.schemas.schema import Keywords, describe

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
