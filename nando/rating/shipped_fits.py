"""Fit the shipped model of each kind of puzzle to everything that was published about it."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from nando import datasets
from nando.arrays import Floats
from nando.features import FeatureExtractor, groups_of
from nando.features.classes import classes_of
from nando.puzzles import Puzzle, Variant
from nando.rating.files import SHIPPED_MODELS, fitted_now, plain_floats
from nando.rating.fitting.published import left_out_of, parts_by_class, published_crowds
from nando.rating.model import Rater
from nando.rating.parts import NURIKABE, VARIANT, Effort
from nando.rating.reach import GenreLevels, Reach, cut_levels
from nando.rating.record import pack, shipped
from nando.rating.scale import CommonScale, Line, Scale
from nando.stages import counted

if TYPE_CHECKING:
    import pandas as pd

STANDARDS = {
    "0724": {"master": 180.0, "expert": 540.0, "novice": 1800.0},
    "0725": {"grandmaster": 450.0, "master": 630.0, "expert": 1260.0},
}
"""Standard seconds of a setter for two puzzles of the collection, by their number."""

_RUNS = 2
"""Number of runs in which impasses are counted."""

_UNDECIDED = "/Nurikabe/0029."
"""The puzzle of the collection that the exact search does not decide; it has no level."""

_MOST_CELLS = 340
"""Most cells of the collection's puzzles that are used; 28 larger puzzles take minutes."""

_SLOPE_SPREAD = 0.2
"""Standard deviation of the slopes of crowds, as for Sudoku."""

FEWEST = 15
"""Minimum number of puzzles in a group with levels, and of games of a rule that is left out."""

_VOLUME = 1
"""The volume of the killer books, of ten alike, from which levels are cut: 800 puzzles."""

_LEVEL = r"^\d{4}-\d\d-.*-([1-9])-\d+$"
"""The level, if not 0, in the number of a puzzle that a program made."""


def fit_shipped(
    kind: str = "sudoku", *, without: Collection[str] = (), n_jobs: int | None = None
) -> Rater:
    """Fit the shipped model of a kind to all published data.

    Parameters
    ----------
    kind : {"sudoku", "nurikabe", "variant"}
    without : collection of str
        Crowds of Sudoku that are left out, together with the others of their data sets.
    n_jobs : int or None
        Threads for the features.

    Returns
    -------
    Rater
        Its `provenance_` names the data, and has the scores on data that it did not see.

    Raises
    ------
    OSError
        If data are neither stored locally nor available for download.
    ValueError
        For a kind without a shipped model, an unknown crowd, or if no crowd with times is left.
    """
    if kind == "sudoku":
        return _fit_crowds(without, n_jobs=n_jobs)
    if without:
        raise ValueError(f"crowds are left out of the model of sudoku only, got kind {kind!r}")
    if kind == "nurikabe":
        return _fit_nurikabe(n_jobs=n_jobs)
    if kind == "variant":
        return _fit_variants(n_jobs=n_jobs)
    raise ValueError(f"no model of {kind!r} is shipped: give data to fit one to")


def _fit_crowds(without: Collection[str], *, n_jobs: int | None) -> Rater:
    """Fit the common scale to all published crowds.

    The provenance has Spearman's correlation on each crowd of a scale that never saw the crowd's
    data set.
    """
    crowds = published_crowds()
    for name in without:
        if name not in crowds:
            raise ValueError(f"no crowd {name!r} is published; known: {', '.join(crowds)}")
    gone = sorted({crowds[name].data_set for name in without})
    crowds = {name: crowd for name, crowd in crowds.items() if crowd.data_set not in gone}
    parts = parts_by_class(
        [key for crowd in crowds.values() for key in crowd.classes], n_jobs=n_jobs
    )
    left_out = left_out_of(crowds, parts)
    unseen = {}
    timed = {crowd.data_set for crowd in crowds.values() if crowd.typical}
    for name, crowd in counted(crowds.items(), "crowds left out", len(crowds)):
        if not timed - {crowd.data_set}:
            continue  # levels alone make no scale
        difficulty = left_out.scale(crowd.data_set).difficulty(left_out.crowds[name].parts)
        unseen[name] = _spearman(difficulty, crowd.responses)
    groups = {name: crowd.classes for name, crowd in crowds.items()}
    rater = Rater.on_scale(left_out.common_scale(orders=[3], groups=groups))
    seen = {name: pack(crowd.classes) for name, crowd in crowds.items()}
    data_sets = dict.fromkeys(crowd.data_set for crowd in crowds.values())
    rater.provenance_ = {
        "name": "-without-".join(["crowds", *gone]).replace("_", "-"),
        "puzzles": len({key for crowd in crowds.values() for key in crowd.classes}),
        **({} if gone else {"seen": seen}),
        "data": {name: datasets.DATASETS[name][0].provenance() for name in data_sets},
        **fitted_now(),
        "unseen": unseen,
    }
    return rater


def _spearman(x: Floats, y: Floats) -> float:
    return round(float(spearmanr(x, y).statistic), 4)


def _fit_nurikabe(*, n_jobs: int | None) -> Rater:
    """Fit the seconds of a look, and the collection's range.

    Only the seconds of a look are fitted. The typical person's time is the geometric mean of an
    expert's and a novice's. The spread of the pace combines that of crowds on Sudoku with half of
    the difference between the standards and the pace on Sudoku. The spread of puzzles is that of
    the looks of puzzles of one size and level. The provenance has the share of pairs of one size
    in order.
    """
    data = datasets.fetch_nurikabe(as_frame=True)
    used = [
        i
        for i, (puzzle, name) in enumerate(zip(data.puzzles, data.frame["name"], strict=True))
        if puzzle.n_cells <= _MOST_CELLS and not str(name).startswith(_UNDECIDED)
    ]
    puzzles = [data.puzzles[i] for i in used]
    names = data.frame["name"].iloc[used].tolist()
    levels = np.asarray(data.target, dtype=np.float64)[used]
    sizes = [tuple(sorted(puzzle.shape)) for puzzle in puzzles]
    parts = _parts(NURIKABE, puzzles, runs=_RUNS, n_jobs=n_jobs)
    log_looks = np.log(parts.sum(axis=1))
    rows = [_number_of(name, names) for name in STANDARDS]
    typical = np.log(_typical())
    sudoku = shipped().scale
    pace = float(np.mean(typical - log_looks[rows]))
    reference = float(log_looks[rows].mean())
    of_sudoku = sudoku.offset + sudoku.slope * (reference - sudoku.reference)
    unit_spread = abs(of_sudoku - reference - pace) / 2
    numbers = plain_floats(
        [
            reference,
            reference + pace,
            1.0,
            float(np.hypot(sudoku.offset_spread, unit_spread)),
            _SLOPE_SPREAD,
            _spread_within(log_looks, levels, sizes),
        ]
    )
    extractor = FeatureExtractor(groups_of(NURIKABE.columns), runs=_RUNS)
    rater = _rater_of_line("nurikabe", numbers, parts, extractor)
    rater.provenance_ = {
        "name": "nurikabe-looks",
        "data": datasets.DATASETS["nurikabe_janko"][0].provenance(),
        "puzzles": len(puzzles),
        "standards": STANDARDS,
        **fitted_now(),
        "in order": in_order_by_size(log_looks, levels, sizes),
    }
    return rater


def _parts(
    effort: Effort, puzzles: Sequence[Puzzle], *, runs: int | None = None, n_jobs: int | None
) -> Floats:
    """Return the parts of puzzles, shape ``(n_puzzles, n_parts)``."""
    extractor = FeatureExtractor(groups_of(effort.columns), runs=runs, n_jobs=n_jobs)
    return effort.by_part(extractor.class_table(puzzles, classes_of(puzzles), effort.columns))


def _rater_of_line(
    kind: str,
    line: Sequence[float],
    parts: Floats,
    extractor: FeatureExtractor,
    least: float | None = None,
    levels: Mapping[str, GenreLevels] = MappingProxyType({}),
) -> Rater:
    """Return the rater of a kind that nobody was timed on.

    The line consists of its reference, offset and slope, and the spreads of the pace, of the slope
    and of puzzles. Below `least`, times are proportional to looks.
    """
    reference, offset, slope, pace, of_slope, of_puzzles = line
    scale = Scale(
        (0.0,) * parts.shape[1],
        *(reference, offset, slope, pace, of_slope),
        puzzle_spread=of_puzzles,
        least=least,
    )
    sudoku = shipped().scale
    grades = Line(sudoku.reference, sudoku.offset, sudoku.slope)
    reach = Reach.of_collection(parts)
    known = CommonScale(scale, {}, reach, timed=0, sudoku=grades, levels=levels)
    return Rater.on_scale(known, kind, features=extractor)


def in_order_by_size(
    log_looks: Floats, levels: Floats, sizes: list[tuple[int, ...]]
) -> dict[str, Any]:
    """Return the share of pairs of one size and different levels that the looks put in order.

    Returns
    -------
    dict
        ``"pairs"``, ``"share"``, and ``"least"`` and ``"most"`` with one size left out.
    """
    counts: dict[tuple[int, ...], tuple[float, int]] = {}
    for size in sorted(set(sizes)):
        here = [i for i, other in enumerate(sizes) if other == size and np.isfinite(levels[i])]
        above = levels[here][:, None] > levels[here][None, :]
        signs = np.sign(log_looks[here][:, None] - log_looks[here][None, :])
        counts[size] = float(((signs + 1) / 2)[above].sum()), int(above.sum())
    right, pairs = (sum(each) for each in zip(*counts.values(), strict=True))
    without = [(right - r) / (pairs - n) for r, n in counts.values() if 0 < n < pairs]
    return {
        "pairs": int(pairs),
        "share": round(right / pairs, 4),
        "least": round(min(without), 4),
        "most": round(max(without), 4),
    }


def _typical() -> Floats:
    """Return the seconds of a typical person on each puzzle that has standards.

    If there is no novice's time, its ratio to the expert's is that of the other puzzle.
    """
    novice = STANDARDS["0724"]["novice"] / STANDARDS["0724"]["expert"]
    return np.array([of["expert"] * np.sqrt(novice) for of in STANDARDS.values()])


def _number_of(name: str, names: list[Any]) -> int:
    """Return the row of a puzzle with a number in the collection."""
    return next(i for i, listed in enumerate(names) if str(listed).startswith(f"/Nurikabe/{name}."))


def _spread_within(log_looks: Floats, levels: Floats, sizes: list[tuple[int, ...]]) -> float:
    """Return the standard deviation of log looks within the puzzles of one size and level."""
    keys = np.array([f"{level} {size}" for level, size in zip(levels, sizes, strict=True)])
    order = np.lexsort((keys,))
    order = order[np.isfinite(levels[order])]
    starts = [0, *(np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1), len(order)]
    groups = [log_looks[order[a:b]] for a, b in pairwise(starts)]
    squares = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    return float(np.sqrt(squares / (len(order) - len(groups))))


class RuleLeftOut(NamedTuple):
    """The distance of the games of a rule from a line through those of all other rules.

    Attributes
    ----------
    games : int
    missed : float
        Mean of the log moves minus those on the line, in log looks.
    spread : float
        Standard deviation of this difference, in log looks.
    """

    games: int
    missed: float
    spread: float


def _fit_variants(*, n_jobs: int | None) -> Rater:
    """Fit the interval, and the range of published variants.

    Nobody was timed on variants. The data are levels that publishers print, and the games of the
    collection. These have moves without times, whose pencil marks and corrections count as effort.
    The seconds of a look are those of the typical crowd on Sudoku, and the weights are constants.
    Only the interval is measured: the spread of its pace is that of crowds, and the spread of
    puzzles is the error of predicting the effort of games from games of other rules. The
    provenance has the ranks within levels and the rules left out. The levels of a genre are cut
    from what is published, or where little is, from puzzles that nando made.
    """
    data = datasets.fetch_sudoku_variants(as_frame=True)
    killers, _ = books_of_killers()
    sources = {"sudoku_variants": data.puzzles, "killer_books": killers, "made": made_variants()}
    all_parts = _parts(VARIANT, [each for own in sources.values() for each in own], n_jobs=n_jobs)
    parts = all_parts[: len(data.puzzles)]
    log_looks = np.log(parts.sum(axis=1))
    left_out = rules_left_out(log_looks, data.frame)
    scale = shipped().scale
    spread = scale.slope * np.hypot(
        np.sqrt(np.mean([rule.missed**2 for rule in left_out.values()])),
        np.mean([rule.spread for rule in left_out.values()]),
    )
    line = [scale.reference, scale.offset, scale.slope]
    numbers = plain_floats([*line, scale.offset_spread, scale.slope_spread, spread])
    extractor = FeatureExtractor(groups_of(VARIANT.columns))
    easiest = shipped().reach.log_difficulty[0]
    levels = cut_levels(sources, np.log(all_parts.sum(axis=1)))
    rater = _rater_of_line("variant", numbers, parts, extractor, easiest, levels)
    published = ("sudoku_variants", "killer_books")
    rater.provenance_ = {
        "name": "variants",
        "data": {name: datasets.DATASETS[name][0].provenance() for name in published},
        "puzzles": len(data.puzzles),
        **fitted_now(),
        "levels": {
            name: [len(rows), _spearman(log_looks[rows], levels)]
            for name, rows, levels in groups_with_levels(data.frame)
        },
        "rules left out": {
            name: [rule.games, round(rule.missed, 3), round(rule.spread, 3)]
            for name, rule in left_out.items()
        },
    }
    return rater


def books_of_killers() -> tuple[list[Puzzle], Floats]:
    """Return the killers of one volume, and the book of each."""
    data = datasets.fetch_killer_books(as_frame=True)
    rows = np.flatnonzero(data.frame["volume"] == _VOLUME)
    return [data.puzzles[i] for i in rows.tolist()], data.target[rows]


def made_variants() -> list[Variant]:
    """Return the variants that nando made for the levels of genres of which little is published."""
    path = SHIPPED_MODELS / "made_variants.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Variant(line) for line in lines if not line.startswith("#")]


def groups_with_levels(frame: "pd.DataFrame") -> list[tuple[str, NDArray[np.intp], Floats]]:
    """Return puzzles of one rule and size with levels: name, rows and levels of each group.

    The levels are those of a setter of Kropki, and those above 0 in the numbers of puzzles that a
    program made.
    """
    by_program = frame["info"].str.extract(_LEVEL)[0].astype(float)
    levels = frame["level"].fillna(by_program)
    groups = []
    for (rule, size), rows in frame[levels.notna()].groupby(["genre", "size"]):
        own = levels[rows.index]
        if len(rows) >= FEWEST and own.min() < own.max():
            positions = frame.index.get_indexer(rows.index)
            groups.append((f"{rule} {size}x{size}", positions, own.to_numpy(float)))
    return groups


def rules_left_out(log_looks: Floats, frame: "pd.DataFrame") -> dict[str, RuleLeftOut]:
    """Predict the log moves of each rule's games by a line through those of all other rules.

    The games are those of the person who played most, and each rule counts the same in a line.

    Parameters
    ----------
    log_looks : ndarray of float64, shape (n_puzzles,)
    frame : DataFrame
        The frame of :func:`nando.datasets.fetch_sudoku_variants`, with a row per puzzle.
    """
    played = frame["moves"].to_numpy() > 0
    played &= (frame["solver"] == frame["solver"][played].mode()[0]).to_numpy()
    rules, x = frame["genre"].to_numpy()[played], log_looks[played]
    y = np.log(frame["moves"].to_numpy(float)[played])
    names, counts = np.unique(rules, return_counts=True)
    weight = 1.0 / counts[np.searchsorted(names, rules)]
    left_out = {}
    for name in names[counts >= FEWEST]:
        others = rules != name
        slope, offset = np.polyfit(x[others], y[others], 1, w=np.sqrt(weight[others]))
        missed = (y[~others] - offset - slope * x[~others]) / slope
        left_out[str(name)] = RuleLeftOut(len(missed), float(missed.mean()), float(missed.std()))
    return left_out
