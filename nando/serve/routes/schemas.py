"""The schemas of requests; everything else is refused."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nando.names import Language

MOST_CELLS = 625
MOST_TOGETHER = 500
"""Most events in a request."""

Cell = Annotated[int, Field(ge=0, lt=MOST_CELLS)]
Milliseconds = Annotated[int, Field(ge=0, le=10**13)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class JoinRequest(_Model):
    """A new player."""

    name: str = Field(max_length=200)
    code: str = Field(default="", max_length=200)


class ReturnRequest(_Model):
    """A player who continues on another device."""

    name: str = Field(max_length=200)
    key: str = Field(max_length=200)


class LoginRequest(_Model):
    """The organiser."""

    password: str = Field(max_length=200)


class PlayerRuling(_Model):
    """What the organiser does with a player; `name` is the new one."""

    do: Literal["rename", "disqualify", "reinstate", "remove"]
    name: str = Field(default="", max_length=200)


class ContestRuling(_Model):
    """What the organiser does with the contest: add `minutes`, or announce a `text`."""

    do: Literal["extend", "pause", "resume", "announce"]
    minutes: int = Field(default=10, ge=1, le=24 * 60)
    text: str = Field(default="", max_length=300)


class Event(_Model):
    """An event of a game, as the page replays it."""

    e: Literal[
        "value", "corner", "centre", "erase", "fill", "undo", "redo",
        "start", "pause", "resume", "hide", "show", "finish", "aid",
    ]  # fmt: skip
    s: int | None = Field(default=None, ge=1)
    c: list[Cell] | None = Field(default=None, max_length=MOST_CELLS)
    v: Annotated[int, Field(ge=0, le=25)] | bool | None = None
    keep: bool | None = None
    clean: bool | None = None
    g: str | None = Field(default=None, max_length=40, pattern=r"^[\d.]+$")
    n: Literal["conflicts", "same", "clean", "likely"] | None = None
    t: Milliseconds = 0
    w: Milliseconds = 0


class MoveEntry(_Model):
    """An event with its place in the contest."""

    seq: int = Field(ge=1, le=10**7)
    puzzle: int = Field(ge=0, le=10**4)
    attempt: int = Field(ge=0, le=10**4)
    age_ms: Milliseconds
    event: Event
    changes: list[Annotated[list[Annotated[int, Field(ge=0, lt=1 << 26)]], Field(max_length=4)]] = (
        Field(max_length=3 * MOST_CELLS)
    )


class MovesRequest(_Model):
    """Events of a player, in order."""

    device: str = Field(max_length=40, pattern=r"^[\w-]+$")
    moves: list[MoveEntry] = Field(max_length=MOST_TOGETHER)


PuzzleText = Annotated[str, Field(max_length=20_000)]
Kind = Annotated[str | None, Field(max_length=40)]


class RateRequest(_Model):
    """Puzzles to rate, all of one kind."""

    puzzles: list[PuzzleText] = Field(min_length=1, max_length=1_000)
    kind: Kind = None


class ExplainRequest(_Model):
    """A puzzle to explain."""

    puzzle: PuzzleText
    kind: Kind = None
    language: Language = "en"


class GenerateRequest(_Model):
    """Puzzles to make, of at most one difficulty; a query has all values as text.

    `rule` lists names of rules, separated by commas. Either `rule` or `size` makes variants.
    """

    model_config = ConfigDict(extra="forbid", strict=False)

    count: int = Field(default=1, ge=1, le=100)
    grade: str | None = Field(default=None, max_length=40)
    minutes: float | None = Field(default=None, gt=0)
    points: float | None = Field(default=None, gt=0)
    percentile: float | None = Field(default=None, ge=0, le=100)
    kind: str = Field(default="sudoku", max_length=40)
    rule: str | None = Field(default=None, max_length=400)
    size: int | None = Field(default=None, ge=2, le=25)
    seed: int = Field(default=0, ge=0, le=2**63)


class GamesRequest(_Model):
    """A log of games to audit, with a row for each move."""

    games: list[dict[str, Any]] = Field(min_length=1, max_length=200_000)
    level: float = Field(default=0.01, gt=0, lt=1)
