"""Files of models, which commands fit and read."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from nando.schemas.rows import Amount, Count, Number
from nando.schemas.schema import Keywords, described

Positive = Annotated[float, Keywords(exclusiveMinimum=0)]
Proper = Annotated[float, Keywords(exclusiveMinimum=0, exclusiveMaximum=1)]
ModelId = Annotated[
    str,
    "Name of the model's data, and a hash of everything that moves a result.",
    Keywords(pattern="^.+-[0-9a-f]{12}$"),
]


@described()
class Provenance(TypedDict):
    """What a model was fitted to."""

    name: NotRequired[str]
    """Name of the data."""
    nando: NotRequired[str]
    """Version of nando that fitted it."""


class CommonScale(TypedDict):
    """The common scale."""

    weights: dict[str, float]
    """Logarithm of each part's weight, against what was set."""
    reference: float
    """Log difficulty at which offsets are taken."""
    offset: float
    """The typical crowd's offset."""
    slope: float
    """Its slope."""
    offset_spread: Amount
    """Standard deviation of the crowds' offsets."""
    slope_spread: Amount
    """Standard deviation of their slopes."""


class Crowd(TypedDict):
    """How a crowd's times follow from the difficulty."""

    offset: float | None
    """Log seconds at the reference difficulty; null for a crowd that has only levels."""
    slope: float
    """Change of the log seconds with the difficulty; of a crowd with levels, that of the logit."""
    noise: Amount
    """Standard deviation of a log time."""
    player_noise: Amount
    """What a single player's time adds to it."""
    deviations: dict[str, float]
    """Deviation of the logarithm of each part's weight."""
    thresholds: list[float]
    """Where its levels end, on the scale of the logit; empty for times."""
    puzzles: Number
    """Puzzles that it was fitted to."""


class Missed(TypedDict):
    """How far actual times are from predicted ones."""

    base: float
    """Spread of log seconds without thought."""
    thought: float
    """What a puzzle that is all thought adds to it."""
    quantiles: list[float]
    """Quantiles of actual minus predicted, in spreads."""


class Reach(TypedDict):
    """The puzzles behind a model."""

    most: dict[str, float]
    """The most of each part that a puzzle had."""
    log_difficulty: list[float]
    """Percentiles 0 to 100 of the log difficulty."""
    orders: list[int]
    """Orders of the grids."""


class ModelFeatures(TypedDict):
    """How puzzles become columns."""

    groups: list[str]
    """Names of the feature groups."""
    runs: Number | None
    """Runs of each solver; null for each feature's own number."""
    random_state: Count
    """Seed of the runs."""


class FitSettings(TypedDict):
    """Of a fit."""

    n_splits: Annotated[int, Keywords(minimum=2)]
    """Folds of the cross-validation behind the intervals."""
    coverage: Proper
    """Share of times inside the interval."""


class ScaleModel(TypedDict):
    """A model of a common scale, fitted to several crowds."""

    format: Literal["nando difficulty model 2"]
    """Version of the file."""
    model_id: ModelId
    provenance: Provenance
    """What it was fitted to, when, and by which version; its keys depend on the data."""
    crowd: str | None
    """Whose times are predicted; null for the typical crowd."""
    parts: dict[str, dict[str, float]]
    """The parts of a time: columns and their seconds."""
    scale: CommonScale
    """The common scale."""
    crowds: dict[str, Crowd]
    """The crowds."""
    missed: dict[str, Missed]
    """By crowd; the empty name is a crowd not met."""
    reach: Reach
    """The puzzles behind the model."""
    features: ModelFeatures
    """How puzzles become columns."""
    settings: FitSettings
    """Of the fit."""


class Line(TypedDict):
    """How log seconds follow from log looks."""

    reference: float
    """Log looks at which the offset is taken."""
    offset: float
    """Log seconds there."""
    slope: float
    """Change of the log seconds with the log looks."""


class SpreadLine(Line):
    """How log seconds follow from log looks, and what is not known of it."""

    pace_spread: Amount
    """Standard deviation of what is known of the offset."""
    slope_spread: Amount
    """That of the slope."""
    puzzle_spread: Amount
    """Standard deviation of a puzzle's log time about the line."""


class Known(TypedDict):
    """The puzzles behind a model."""

    most: dict[str, float]
    """The most looks of each part that a puzzle had."""
    log_looks: list[float]
    """Percentiles 0 to 100 of the log looks."""


class RatingSettings(TypedDict):
    """Of ratings."""

    coverage: Proper
    """Wanted coverage of the interval."""


class LooksModel(TypedDict):
    """A model that sums looks, for Nurikabe."""

    format: Literal["nando difficulty model 3", "nando difficulty model 4"]
    """Version of the file."""
    model_id: ModelId
    provenance: Provenance
    """What it was fitted to, when, and by which version; its keys depend on the data."""
    parts: dict[str, dict[str, float]]
    """The parts of a time: columns and their looks."""
    line: SpreadLine
    """How log seconds follow from log looks."""
    timed: Count
    """Times that the line was fitted to; 0 where nobody was timed."""
    sudoku: Line
    """The typical crowd's line for Sudoku: grades are by minutes."""
    known: Known
    """The puzzles behind the model."""
    features: ModelFeatures
    """How puzzles become columns."""
    settings: RatingSettings
    """Of ratings."""


described(
    "model",
    "A model of difficulty.\n\nWhat `nando fit` writes, and `nando rate --model` reads: a common "
    "scale of several crowds, or a sum of looks.",
)(ScaleModel | LooksModel)


@described()
class PersonalProvenance(TypedDict):
    """What it was fitted to."""

    name: NotRequired[str]
    """Name of the data."""
    games: NotRequired[int]
    """The person's own games."""
    base: NotRequired[str]
    """The `model_id` of the base."""


class Pace(TypedDict):
    """How a person's log seconds follow from predicted ones."""

    games: Count
    """The person's own games behind it."""
    reference: float
    """Predicted log seconds of a typical game of the history."""
    offset: float
    """The person's log seconds there."""
    slope: Positive
    """Their change with the predicted log seconds."""
    variances: Annotated[list[float], Keywords(minItems=3, maxItems=3)]
    """The constant, linear and quadratic terms of the variance of the person's log seconds, by the
    distance of a prediction from the reference."""
    noise: Positive
    """Squared scale of the noise of a game, a Student t."""
    dof: Positive
    """Degrees of freedom of that noise."""
    puzzle: Positive
    """Variance of what a puzzle adds to its prediction; a part of the constant term."""
    carried: bool
    """Whether the games are of other kinds of puzzle than those rated; then only the pace is
    used."""


@described("person", additionalProperties=False)
class PersonalModel(TypedDict):
    """A model of one person.

    What a `nando.rating.Rater` of one person writes, and `nando rate --model` reads: a model for
    typical people, moved to the pace of one. It holds no game.
    """

    format: Literal["nando model of one person 1"]
    """Version of the file."""
    model_id: ModelId
    provenance: PersonalProvenance
    """What it was fitted to."""
    base: Annotated[dict[str, Any], Keywords(required=["format", "model_id"])]
    """The model that it starts from: a whole file of the schema `model`."""
    pace: Pace
    """How the person's log seconds follow from predicted ones."""
    settings: RatingSettings
    """Of ratings."""


@described("persons", additionalProperties=False)
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


@described("fill_order", additionalProperties=False)
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
