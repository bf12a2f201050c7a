"""The rows that commands write, of the columns of CSV and Parquet and the objects of JSON."""

from typing import Annotated, Literal, NotRequired, TypedDict

from nando.names import Grade
from nando.schemas.schema import Keywords, describe

Count = Annotated[int, Keywords(minimum=0)]
Number = Annotated[int, Keywords(minimum=1)]
Amount = Annotated[float, Keywords(minimum=0)]
Share = Annotated[float, Keywords(minimum=0, maximum=1)]
Cell = Annotated[str, Keywords(pattern="^r[1-9][0-9]*c[1-9][0-9]*$")]

Line = Annotated[Number, "Line of the puzzle in its file, from 1."]
Puzzle = Annotated[str, "The puzzle as a line; where it could not be read, the text that was read."]
Board = Annotated[str, "The puzzle as a line."]
Error = Annotated[
    str | None,
    "Everything that is wrong with the puzzle; null for a good one. All other values are null "
    "then.",
]
File = Annotated[
    str | None,
    "The file, '-' for standard input, or null for a puzzle that is an argument itself.",
]
Predicted = Annotated[Amount | None, "Predicted mean time of a group of people in seconds."]
Low = Annotated[Amount | None, "Lower end of its interval."]
High = Annotated[Amount | None, "Upper end of its interval."]
Percentile = Annotated[
    Annotated[float, Keywords(minimum=0, maximum=100)] | None,
    "Share of the puzzles behind the model that are easier, in percent.",
]
Flag = Literal[
    "already_solved", "unknown_order", "beyond_known", "nobody_timed", "graded_among_all"
]
Verdict = Annotated[str, "The verdict, in words."]
_Finding = Literal["person", "undecided", "entered", "off screen", "unlike"]
Finding = Annotated[
    _Finding,
    "What was found, the same in every language: consistent with a person, too little to tell, "
    "entered from a finished solution, the same against the rules of the contest, or unlike a "
    "person.",
]
Evidence = Annotated[
    str,
    "What was found, and what speaks for a player who entered a finished solution; empty for "
    "nothing.",
]


_SOLVED = {"required": ["solution", "outcome", "steps"]}
_COUNTED = {"required": ["solutions"]}
_FEATURE = {
    "type": ["number", "null"],
    "description": "A feature; docs/features.md defines each.",
}
OWN_COLUMN = {
    "type": ["string", "number", "boolean", "null"],
    "description": "A column of the puzzle's own file; input_ is put before a name that nando "
    "uses itself.",
}
_FEATURE_OR_OWN = OWN_COLUMN | {
    "description": "A feature; docs/features.md defines each. Or a column of the puzzle's own "
    "file; input_ is put before a name that nando uses itself."
}


@describe("solve", oneOf=[_SOLVED, _COUNTED])
class Solved(TypedDict):
    """A solution, or a number of solutions.

    What `nando solve` writes of a puzzle, and with --count; `nando.solve(puzzle).to_dict()`
    without line, error and file.
    """

    line: NotRequired[Line]
    puzzle: Puzzle
    solution: NotRequired[str | None]
    """The solution as a line; null where none was found."""
    outcome: NotRequired[Literal["solved", "exhausted", "stuck", "step limit", "time limit"] | None]
    """How the solver ended: exhausted is a search that proved the solution the only one."""
    steps: NotRequired[Count | None]
    """Steps spent, as the solver counts them."""
    solutions: NotRequired[Count | None]
    """With --count: 0, 1, or 2 for several, or as many as were counted up to a number; null where
    the steps did not decide."""
    error: NotRequired[Error]
    file: NotRequired[File]


@describe("canonical")
class Canonical(TypedDict):
    """The canonical form of a puzzle.

    What `nando canonical` writes of a puzzle.
    """

    line: Line
    puzzle: Puzzle
    canonical: str | None
    """The same text for all equivalent puzzles; of 16x16 and 25x25 Sudokus a hash."""
    error: Error
    file: File


@describe("check")
class Checked(TypedDict):
    """Something that a reader of printed puzzles would mind.

    What `nando check` writes for each finding; a puzzle can have several, or none.
    """

    line: Number | None
    """Line of the puzzle in its file, or its number in a book; null for the whole book."""
    fault: str
    """What is wrong, the same word for the same fault."""
    reason: str
    """The same in a sentence, with the cells concerned."""
    puzzle: Annotated[str | None, "The puzzle, or the text that was read; null for the whole book."]
    file: File


@describe("rate")
class Rated(TypedDict):
    """A rating.

    What `nando rate` writes of a puzzle; `nando.rate(puzzle).to_dict()` without line, error and
    file.
    """

    line: NotRequired[Line]
    puzzle: Puzzle
    predicted_seconds: Predicted
    low_seconds: Low
    high_seconds: High
    grade: Grade | None
    """Grade on the common scale, easiest first; null for a full grid."""
    percentile: Percentile
    model_id: str | None
    """Name of the model's data, and a hash of everything that moves a rating."""
    error: NotRequired[Error]
    flags: str | None
    """What makes the puzzle unlike those the model was fitted to, in words; empty for nothing."""
    flag_codes: Annotated[list[Flag], Keywords(uniqueItems=True)] | None
    """The same for programs: already_solved, a full grid; unknown_order, a size of grid that the
    model was not fitted to; beyond_known, more or less of something than any puzzle behind the
    model; nobody_timed, a kind of puzzle whose seconds rest on no times; graded_among_all, a
    variant of which too few are known to grade it among its kind.
    Joined by spaces in CSV and Parquet."""
    givens: Count | None
    """Number of given cells."""
    reasons: str | None
    """What the prediction is made of, in words."""
    parts_seconds: dict[str, Amount] | None
    """Seconds of each part of the time by its name, which add up to it; null for a model without
    parts, and for a full grid. In JSON only."""
    file: NotRequired[File]


@describe("features", additionalProperties=_FEATURE_OR_OWN)
class Featured(TypedDict):
    """Features of a puzzle.

    What `nando features` writes of a puzzle: a number for each column of the groups asked for.
    """

    line: Line
    puzzle: Puzzle
    error: Error
    file: File


@describe("generate", additionalProperties=_FEATURE)
class Generated(TypedDict):
    """A new puzzle.

    What `nando generate` writes of a puzzle; `nando.generate().to_dict()` is the same. The
    model's columns come last.
    """

    puzzle: Board
    solution: str
    """Its only solution as a line."""
    predicted_seconds: Predicted
    grade: Literal[Grade, ""]
    """Grade on the common scale; empty where no model rated it."""
    givens: Count
    """Number of given cells."""
    seed: Count
    """Seed of the batch; with index it makes the puzzle again."""
    model_id: str
    """The model that rated it; empty for none."""
    index: Count
    """Number of the puzzle within its batch, from 0."""
    low_seconds: Low
    high_seconds: High
    percentile: Percentile
    symmetry: str
    """Symmetry of the givens that was asked for."""
    runs: Number | None
    """Runs of each solver behind the prediction; null for each feature's own number."""
    first_cell: Count | None
    """Cell that people are predicted to fill first, row by row from 0."""
    kind: str
    """Kind of puzzle: sudoku, nurikabe or variant."""


@describe("order")
class OrderedCell(TypedDict):
    """The place of a cell in a predicted fill order.

    What `nando order` writes of each cell that is to be filled.
    """

    puzzle: Board
    cell: Cell
    """The cell, such as r1c3."""
    rank: Number
    """Its place in the order, from 1."""
    mean_rank: float
    """Mean of its places in simulated games."""
    low_80: float
    """Place that a tenth of the games come before."""
    high_80: float
    """Place that a tenth of the games come after."""


@describe("audit")
class AuditedGame(TypedDict):
    """The audit of a game.

    What `nando audit` writes of a game, the least like a person first.
    """

    game: str
    """Name of the game in its log."""
    puzzle: Board
    p_value: Share | None
    """Chance of such a game, or one less like a person's, where people play, on the screen or on
    paper."""
    order_score: float | None
    """Decimal logarithm of the odds by a solver's steps alone."""
    timing_score: float | None
    """The same by a hand faster than fingers alone."""
    verdict: Verdict
    finding: Finding
    log10_odds: float | None
    """How much better programs explain the game than people do, on the screen or on paper, as a
    decimal logarithm of odds."""
    entered_p_value: Share | None
    """Chance of such an order and such times where somebody finds the cells one by one on the
    screen."""
    entered_log10_odds: float | None
    """How much better a finished solution that is entered explains the game, as a decimal logarithm
    of odds; with --on-screen, any order that is not found on the screen."""
    standard: str
    """What the p-value rests on, with the least that it can show."""
    evidence: Evidence
    player: str | None
    """The player."""
    moves: Count
    """Fills that were judged."""
    weighty_moves: str
    """The fills that weigh most for the finding, each with its log likelihood ratio."""
    notes: str
    """What was mended or left out; empty for nothing."""
    player_games: Annotated[int, Keywords(minimum=2)] | None
    """Judged games of the player; null for a single one."""
    player_finding: _Finding | None
    """What was found in all games of the player together; null for a player with a single judged
    game."""
    player_log10_odds: float | None
    """The odds of all games of the player together, as a decimal logarithm."""
    player_entered_log10_odds: float | None
    """The odds of all games of the player together that finished solutions were entered."""
    player_verdict: str | None
    """The verdict on the player, in words; null for a player with a single judged game."""
    file: str
    """The log."""


@describe("audit_players")
class AuditedPlayer(TypedDict):
    """The audit of a player.

    What `nando audit --by player` writes of a player with several judged games, the least like a
    person first.
    """

    player: Annotated[str, "The player."]
    games: Annotated[int, Keywords(minimum=2)]
    """Games that were judged."""
    p_value: Share
    """Chance of such games, or less like a person's, where people play."""
    log10_odds: float
    """How much better programs explain the games than people do, as a decimal logarithm of odds."""
    entered_p_value: Share
    """Chance of such entries where somebody finds the cells one by one on the screen."""
    entered_log10_odds: float
    """How much better finished solutions that are entered explain the games, as a decimal logarithm
    of odds."""
    verdict: Verdict
    finding: Finding


@describe("audit_results")
class AuditedResults(TypedDict):
    """The audit of a player's results.

    What `nando audit` writes of a player in a table of results, the least like a person first.
    """

    player: Annotated[str, "The player."]
    results: Count
    """Right solutions that were judged."""
    finding: Finding
    p_value: Share
    """Chance that an honest person, on the screen or on paper, has such results, or results less
    like a person's."""
    entered_p_value: Share
    """The same for somebody whose clock starts before the puzzle is solved."""
    pace_p_value: Share | None
    """Its part by the shortest time for the pace of the other results; null for too few results."""
    difficulty_p_value: Share | None
    """Its part by how far the times follow difficulty; null for too few results."""
    correlation: Annotated[float, Keywords(minimum=-1, maximum=1)] | None
    """Rank correlation of the times with the predicted times."""
    verdict: Verdict
    evidence: Evidence
    notes: str
    """What was left out or cannot be judged; empty for nothing."""


@describe("evaluate")
class Score(TypedDict):
    """A score.

    What `nando evaluate` writes of each number of an evaluation.
    """

    part: str
    """Part of the evaluation; the scores of models on human times have the name of the times."""
    subject: str
    """What is scored: a model, a column, a player, a crowd."""
    metric: str
    """The score's name."""
    value: float | None
    """The score."""
    low_95: float | None
    """Lower end of its 95 % interval."""
    high_95: float | None
    """Upper end of its 95 % interval."""


@describe("reproduce")
class ReproducedNumber(TypedDict):
    """A published number, measured again.

    What `nando reproduce` writes of a cell of a published table.
    """

    experiment: str
    """Name of the experiment."""
    row: str
    """Row of the published table."""
    column: str
    """Its column."""
    published: float | None
    """The published number."""
    low: float | None
    """Least that agrees with it."""
    high: float | None
    """Most that agrees with it."""
    instances: str | None
    """What it was measured on."""
    measured: float | None
    """The number measured now."""
    error: float | None
    """Its standard error."""
    verdict: str
    """Whether they agree."""
    reason: str | None
    """Why they may not."""


@describe("datasets")
class ListedDataSet(TypedDict):
    """A data set.

    What `nando datasets` writes of a data set.
    """

    name: str
    """Its name."""
    here: Literal["yes", "no"]
    """Whether its files are on this machine."""
    licence: str
    """Its licence."""
    summary: str
    """What it holds."""
