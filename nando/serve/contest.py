"""A contest as its organiser describes it, in a TOML file."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nando.checks import whole
from nando.generators.wishes import DIFFICULTIES, Wishes
from nando.puzzles.files import parse_toml, read_text, shortened
from nando.records import between, documented, plain, read_record, setting
from nando.solvers.logic.language import PAGE_LANGUAGES

MOST_PUZZLES = 200
"""Most puzzles of a contest."""

MOST_PLAYERS = 10_000
"""Most players of a contest that a file can allow."""

FIRST_YEAR, LAST_YEAR = 1970, 9998
"""First and last year of a contest, whose times must exist in every time zone."""


@documented
@dataclass(frozen=True, kw_only=True)
class PuzzlePart(Wishes):
    """Puzzles of a contest, given as text or in a file, or made for it.

    The kind of a given puzzle is recognised; new puzzles are Sudokus unless their kind is given.
    """

    kind: str | None = None
    puzzle: str = setting("", about="A puzzle or a link.")
    file: str = setting("", about="A file of puzzles, with a path relative to the contest's file.")
    count: int = setting(1, between(1), about="Number of puzzles to make.")
    points: int | None = setting(
        None, between(0), about="Points for each solved puzzle; None takes the predicted minutes."
    )

    def check(self) -> None:
        """Check that puzzles are either given or made."""
        super().check()
        given = [name for name in _WAYS if getattr(self, name) not in ("", None)]
        if len(given) != 1:
            listed = " and ".join(given) or "nothing"
            raise ValueError(f"puzzles are named by one of {', '.join(_WAYS)}; got {listed}")
        own = {"kind", "puzzle", "file", "points"}
        if self.is_made:
            self.source()
        elif wished := plain(self).keys() - own:
            raise ValueError(
                f"{' and '.join(sorted(wished))}: for puzzles that are made, not for {given[0]}"
            )

    @property
    def is_made(self) -> bool:
        """True if these puzzles are made for the contest."""
        return not (self.puzzle or self.file)


_WAYS = ("puzzle", "file", *DIFFICULTIES)


@dataclass(frozen=True)
class Contest:
    """A contest.

    Parameters
    ----------
    start, end : datetime
        Times without a time zone are in that of the machine.
    puzzles : tuple of PuzzlePart
    title : str
    language : str
        Language of the pages, one of `PAGE_LANGUAGES`; empty takes that of the browser. Players can
        choose another.
    code : str
        Code that players type to join; if empty, everybody who can reach the page can join.
    password : str
        Password of the organiser; if empty, one is made when the contest is first served.
    seed : int
        Seed of new puzzles.
    on_screen : bool
        Whether puzzles must be solved on the page; players are told, and the audits judge by it.
    most_players, most_per_address : int
        Most players in all, and most who join from one address within an hour.
    """

    start: datetime
    end: datetime
    puzzles: tuple[PuzzlePart, ...]
    title: str = "Puzzle contest"
    language: str = ""
    code: str = ""
    password: str = ""
    seed: int = 0
    on_screen: bool = False
    most_players: int = 2_000
    most_per_address: int = 100

    def __post_init__(self) -> None:
        if not self.puzzles:
            raise ValueError("a contest needs puzzles: add a table [[puzzles]]")
        if self.language and self.language not in PAGE_LANGUAGES:
            known = ", ".join(PAGE_LANGUAGES)
            raise ValueError(f"language must be one of {known}, got {shortened(self.language)!r}")
        for name in ("start", "end"):
            time: datetime = getattr(self, name)
            if not FIRST_YEAR <= time.year <= LAST_YEAR:
                raise ValueError(
                    f"{name} must be in the years {FIRST_YEAR} to {LAST_YEAR}, got {time.year}"
                )
            if time.tzinfo is None:
                object.__setattr__(self, name, time.astimezone())
        if self.end <= self.start:
            raise ValueError(
                f"end must be after start, got end {self.end.isoformat(' ')} "
                f"and start {self.start.isoformat(' ')}"
            )
        for name in ("most_players", "most_per_address"):
            whole(name, getattr(self, name), 1, MOST_PLAYERS)
        if self.password and len(self.password) < LEAST_PASSWORD:
            raise ValueError(f"password must have at least {LEAST_PASSWORD} characters")

    @property
    def start_ms(self) -> int:
        """Milliseconds since 1970."""
        return round(self.start.timestamp() * 1000)

    @property
    def end_ms(self) -> int:
        """Milliseconds since 1970."""
        return round(self.end.timestamp() * 1000)


LEAST_PASSWORD = 8
"""Least number of characters of an organiser's password."""


def read_contest(path: str | Path) -> Contest:
    r"""Return the contest that a TOML file describes.

    Raises
    ------
    ValueError
        If the file is not TOML, has an unknown setting, lacks a setting or has a wrong value. The
        message says where in the file.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "contest.toml"
    ...     _ = path.write_text(
    ...         "start = 2027-03-01T19:00:00Z\nend = 2027-03-01T20:00:00Z\n"
    ...         '[[puzzles]]\ngrade = "easy"\ncount = 3\n'
    ...     )
    ...     contest = read_contest(path)
    >>> contest.end_ms - contest.start_ms, contest.puzzles[0].count
    (3600000, 3)
    """
    text = read_text(path)
    try:
        table = parse_toml(text)
        table.setdefault("puzzles", [])
        return read_record(Contest, table, noun="a contest")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
