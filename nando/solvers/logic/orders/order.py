"""Orders of techniques: in which order another program tries them, and the points of each."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from nando.checks import nearest
from nando.puzzles.files import read_text, shortened
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.assumptions import NISHIO
from nando.solvers.logic.house_walk import SUKAKU_EXPLAINER
from nando.solvers.logic.technique import Ladder, Technique, named_words, standard_ladder
from nando.solvers.logic.wording.record import NAMES

NAMED = 100
"""Kernel number of a rung that is a family of steps, which several techniques find."""

ORDERS: dict[str, str] = {
    "sudoku-explainer": "Sudoku Explainer",
    "hodoku": "HoDoKu",
    "sudokuwiki": "SudokuWiki",
}
"""The orders that come with nando, and the programs that they belong to."""

_OF_TECHNIQUES = {
    "hidden single": ("hidden single in box", "hidden single in line"),
    "BUG+1": ("bivalue universal grave",),
}
"""Families that are the same as one or more techniques of another name."""
_LINKS = ((kernels.STRONG_LINKS, 2), (kernels.STRONG_LINKS, 3), (kernels.CHAIN, 0))
_CHAINS = ((kernels.CHAIN, 0),)
_SETS = (*_CHAINS, (kernels.ALIGNED, 2), (kernels.ALIGNED, 3))
_SOURCES: dict[str, tuple[tuple[int, int], ...]] = {
    "locked pair": ((kernels.NAKED_SUBSET, 2),),
    "locked triplet": ((kernels.NAKED_SUBSET, 3),),
    "unique": ((kernels.UNIQUE_LOOP, 0),),
    "BUG+1": ((kernels.BIVALUE_UNIVERSAL_GRAVE, 0),),
    "bivalue": ((kernels.BIVALUE_UNIVERSAL_GRAVE, 0),),
    "finned X-wing": _LINKS[:1],
    "sashimi X-wing": _LINKS[:1],
    "finned": ((kernels.FORCING, NISHIO),),
    "sashimi": ((kernels.FORCING, NISHIO),),
    **dict.fromkeys(("skyscraper", "two-string", "turbot", "empty"), _LINKS[:1]),
    "X-chain": _LINKS[1:],
    "simple colouring": _LINKS[1:],
    **dict.fromkeys(("W-wing", "XY-", "Y-cycle", "remote pair", "AIC", "nice loop"), _CHAINS),
    "ALS-XZ": _SETS,
    "sue de coq": _SETS,
}
"""Kernels and degrees of the techniques that find a family, by the beginning of its name."""

_FAMILIES = tuple(dict.fromkeys(name.partition(":")[0] for name in NAMES))
_SEPARATOR = " / "


class Score(NamedTuple):
    """The points of the steps of a walk in an order.

    Attributes
    ----------
    points : float
        The sum over the steps whose points are known.
    n_unknown : int
        Number of steps of families for which the order has no points.
    """

    points: float
    n_unknown: int


@dataclass(frozen=True)
class Order:
    """An order of techniques.

    Attributes
    ----------
    name : str
        Name of a known order, or of a file.
    ladder : tuple of Technique
        The techniques of the order, then those of nando's ladder that it lacks.
    points : mapping of str to float
        Points of a step of each family; empty if the program publishes none.
    lacking : tuple of Technique
        The techniques at the end of the ladder that the order lacks.
    """

    name: str
    ladder: Ladder
    points: Mapping[str, float] = field(default_factory=dict)
    lacking: Ladder = ()

    @property
    def title(self) -> str:
        """Name of the program, or of the file."""
        return ORDERS.get(self.name, self.name)

    def score(self, families: Iterable[str]) -> Score:
        """Return the points of steps of these families."""
        worth = [self.points.get(family) for family in families]
        return Score(sum(points for points in worth if points is not None), worth.count(None))


def read_order(name: str | Path) -> Order:
    """Return a known order, or one in a file.

    Parameters
    ----------
    name : str or Path
        One of :data:`ORDERS`, or a file with a technique on each line, in the order in which they
        are tried. ``" / "`` separates several techniques on a line. A comma and a number after
        them give the points of a step. Techniques may have the names that any of the programs
        uses. Headings, and lines that begin with ``#``, are ignored.

    Raises
    ------
    OSError
        If the file does not exist.
    ValueError
        For an unknown technique, invalid points, or a file without techniques.

    Examples
    --------
    >>> [technique.name for technique in read_order("hodoku").ladder[:3]]
    ['full house', 'naked single', 'hidden single in box']
    """
    if str(name) in ORDERS:
        return _read_known(str(name))
    path = Path(name)
    if not path.exists() and not path.suffix:
        raise ValueError(
            f"order must be one of {', '.join(ORDERS)}, or a file with a technique on each line, "
            f"got {shortened(repr(str(name)))}{nearest(name, ORDERS)}"
        )
    return parse_order(read_text(path), path.name)


@cache
def _read_known(name: str) -> Order:
    return parse_order(read_text(Path(__file__).parent / f"{name}.csv"), name)


def parse_order(text: str, name: str) -> Order:
    """Return the order in a text, as :func:`read_order` describes it."""
    rungs: list[Technique] = []
    points: dict[str, float] = {}
    for number, row in enumerate(_rows(text, name), 1):
        cells = [cell.strip() for cell in row]
        first = cells[0] if cells else ""
        if not first or first.startswith("#") or first.casefold() in ("technique", "name"):
            continue
        place = f"{name}: line {number}"
        worth = _worth(cells[1], place) if len(cells) > 1 and cells[1] else None
        for part in first.split(_SEPARATOR):
            families = families_of(part, f"{place}: ")
            for family in families:
                if worth is not None:
                    points.setdefault(family, worth)
            new = [rung for family in families for rung in rungs_of(family) if rung not in rungs]
            rungs += new
    if not rungs:
        raise ValueError(f"{name}: no technique; write the name of one on each line")
    lacking = tuple(t for t in SUKAKU_EXPLAINER if t not in rungs)
    return Order(name, (*rungs, *lacking), points, lacking)


def _rows(text: str, name: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(text.splitlines())
    except csv.Error as error:
        raise ValueError(f"{name}: not a table ({error})") from None


def _worth(text: str, place: str) -> float:
    try:
        worth = float(text)
    except ValueError:
        worth = -1.0
    if not 0 <= worth <= 1e6:
        raise ValueError(
            f"{place}: {shortened(repr(text))} is no number of points from 0 to 1,000,000"
        )
    return worth


def families_of(name: str, place: str = "", kind: str = SUKAKU_EXPLAINER[0].kind) -> list[str]:
    """Return the families that a name of nando or of another program stands for.

    Only Sudoku has families that are not techniques of its ladder.

    Raises
    ------
    ValueError
        For an unknown name; the message begins with `place`.
    """
    words, ladder = named_words(name), [technique.name for technique in standard_ladder(kind)]
    whole = [technique for technique in ladder if named_words(technique).startswith(words)]
    on_sudoku = kind == SUKAKU_EXPLAINER[0].kind
    if any(named_words(technique) == words for technique in whole) or (whole and not on_sudoku):
        return whole
    own = [family for family in _FAMILIES if named_words(family).startswith(words)]
    if own and on_sudoku:
        return own
    theirs = [
        (family.partition(":")[0], named_words(other))
        for family, names in NAMES.items()
        for other in names
        if other and named_words(other).startswith(words) and (on_sudoku or family in ladder)
    ]
    theirs = [pair for pair in theirs if pair[1] == words] or theirs
    if not theirs:
        others = [*_FAMILIES, *filter(None, chain(*NAMES.values()))] if on_sudoku else []
        called = {word: known for known in ladder for word in known.split() if len(word) > 3}
        called |= {known.casefold(): known for known in (*others, *ladder)}
        near = get_close_matches(name.casefold()[:30], called, 1, 0.5)
        hint = f", the nearest is {called[near[0]]}" if near else ""
        of_kind = "" if on_sudoku else f" of {kind} puzzles"
        more = ", or those of HoDoKu, SudokuWiki and Sudoku Explainer" if on_sudoku else ""
        raise ValueError(
            f"{place}no technique{of_kind} is called {shortened(repr(name))}{hint}; see the names "
            f"in `nando explain --all`{more}"
        )
    return list(dict.fromkeys(family for family, _ in theirs))


def rungs_of(family: str) -> Sequence[Technique]:
    """Return the rungs of a family: techniques that find nothing else, or a rung named after it."""
    names = _OF_TECHNIQUES.get(family, (family,))
    own = [t for t in SUKAKU_EXPLAINER if t.name in names and family != "BUG+1"]
    if own:
        return own
    sentence = f"Steps that are named {family}."
    rating = min(technique.rating for technique in sources_of(family))
    return [Technique(family, rating, sentence, NAMED)]


def find_rungs(ladder: Ladder, name: str, *, broadly: bool = False) -> Ladder:
    """Return the techniques that a name in any style stands for: rungs of a ladder, or families.

    The whole name of a rung selects it alone. Other words select every rung that contains them:
    ``"chains"`` selects all chains. If `broadly`, whole names do, too.

    Raises
    ------
    ValueError
        For an unknown name.

    Examples
    --------
    >>> [rung.name for rung in find_rungs(SUKAKU_EXPLAINER, "Y-Wing")]
    ['XY-wing']
    """
    words, kind = named_words(name), ladder[0].kind
    found = [rung for rung in ladder if words in named_words(rung.name)]
    whole = [rung for rung in found if _spaced(rung.name) == _spaced(name)]
    if found:
        return tuple(found if broadly or not whole else whole)
    families = families_of(name, kind=kind)
    if kind != SUKAKU_EXPLAINER[0].kind:
        return tuple(rung for rung in standard_ladder(kind) if rung.name in families)
    return tuple(rung for family in families for rung in rungs_of(family))


def _spaced(name: str) -> str:
    return name.casefold().replace("-", " ").strip()


def with_families(ladder: Ladder, rungs: Iterable[Technique]) -> Ladder:
    """Return a ladder in which each family that it lacks comes before the rung that finds it."""
    for rung in rungs:
        if rung not in ladder and rung.kernel == NAMED:
            at = min((ladder.index(t) for t in sources_of(rung.name) if t in ladder), default=0)
            ladder = (*ladder[:at], rung, *ladder[at:])
    return ladder


@cache
def sources_of(family: str) -> Ladder:
    """Return the techniques that find the steps of a family, among others."""
    known = next((pairs for name, pairs in _SOURCES.items() if family.startswith(name)), _LINKS)
    return tuple(t for t in SUKAKU_EXPLAINER if (t.kernel, t.degree) in known)
