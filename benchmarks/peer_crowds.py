"""Compare nando with pencilmark, the newest peer, on every crowd that can be downloaded.

nando is fitted without the data set of the crowd. What pencilmark was fitted to is not published,
so it may have seen some of these people. Both rate the same member of each class of puzzles. Pairs
are of puzzles of different levels; those that are rated equal count half.

    pip install pencilmark
    python benchmarks/peer_crowds.py --cards cards.json
"""

import argparse
import json
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pencilmark

from nando.evaluation.crowds import crowd_targets
from nando.evaluation.scores import bootstrap, score_of, spearman
from nando.rating.scale.parts import PART_COLUMNS, parts_of
from nando.rating.scale.published import columns_by_class, published_crowds, scale_without
from nando.stages import counted

FIELDS = ("difficulty", "time")
LOGS = ("cloud-sudoku", "phone", "portal", "portal-best")
"""Targets whose responses are seconds, so that minutes can be compared."""


def cards_of(classes: Iterable[str], file: Path | None, most_seconds: float) -> dict[str, list]:
    """Return pencilmark's difficulty, minutes and the seconds that it took, by class."""
    cards = json.loads(file.read_text()) if file is not None and file.exists() else {}
    missing = [key for key in dict.fromkeys(classes) if key not in cards]
    for key in counted(missing, "cards", len(missing)):
        start = time.perf_counter()
        card = pencilmark.rate(key, fields=list(FIELDS), max_seconds=most_seconds)
        cards[key] = [card["difficulty"], card["time"], time.perf_counter() - start]
        if file is not None and len(cards) % 100 == 0:
            file.write_text(json.dumps(cards))
    if file is not None:
        file.write_text(json.dumps(cards))
    return cards


def pairs_in_order(rated: np.ndarray, levels: np.ndarray) -> float:
    """Return the share of pairs of different levels that are rated in their order."""
    less = levels[:, None] < levels[None]
    right = (rated[:, None] < rated[None]) + 0.5 * (rated[:, None] == rated[None])
    return float(right[less].mean())


def compared(measure, ours, theirs, actual, samples) -> list[str]:
    """Return both scores and their difference, with 95 % intervals."""

    def difference(both: np.ndarray, actual: np.ndarray) -> float:
        return measure(both[:, 0], actual) - measure(both[:, 1], actual)

    each = [score_of(measure, rated[None], actual, samples) for rated in (ours, theirs)]
    both = np.stack([ours, theirs], axis=1)
    return [str(score) for score in (*each, score_of(difference, both[None], actual, samples))]


def main() -> None:
    """Print a row for each target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=Path, help="keep pencilmark's cards in this file")
    parser.add_argument("--seconds", type=float, default=10.0, help="pencilmark's time limit")
    parser.add_argument("--bootstrap", type=int, default=500)
    options = parser.parse_args()
    crowds = published_crowds()
    targets = crowd_targets(crowds)
    classes = [key for target in targets for key in target.crowd.classes]
    table = columns_by_class(classes, (*PART_COLUMNS, "givens"))
    parts = dict(zip(table.index, parts_of(table[list(PART_COLUMNS)].to_numpy()), strict=True))
    known = {name: crowd.on(parts) for name, crowd in crowds.items()}
    cards = cards_of(classes, options.cards, options.seconds)
    took = np.array([card[2] for card in cards.values()])
    print(
        f"pencilmark {version('pencilmark')}, {options.seconds:g} s a puzzle at most: median "
        f"{np.median(took):.2f} s, mean {took.mean():.2f}, longest {took.max():.1f}"
    )
    print("crowd, measure | puzzles | nando | pencilmark | nando ahead by | its minutes | givens")
    for target in targets:
        crowd, actual = target.crowd, target.crowd.responses
        scale = scale_without(crowd.data_set, crowds, known)
        ours = scale.difficulty(np.array([parts[key] for key in crowd.classes]))
        theirs, minutes, _ = np.array([cards[key] for key in crowd.classes]).T
        givens = -table.loc[list(crowd.classes), "givens"].to_numpy()
        samples = bootstrap(crowd.classes, options.bootstrap, 0)
        measures = {"rho": spearman} | ({"pairs": pairs_in_order} if crowd.levels else {})
        for name, measure in measures.items():
            row = compared(measure, ours, theirs, actual, samples)
            others = [f"{measure(rated, actual):.3f}" for rated in (minutes, givens)]
            print(" | ".join([f"{target.name}, {name}", str(len(actual)), *row, *others]))
        if target.name in LOGS:
            logs = np.log(actual)
            typical = scale.log_seconds(np.array([parts[key] for key in crowd.classes]))
            for who, predicted in (("nando", typical), ("pencilmark", np.log(60 * minutes))):
                away = np.median(predicted - logs)
                error = np.abs(predicted - logs - away).mean()
                print(
                    f"  minutes of {who}: {np.exp(away):.2f} times the crowd's; error of log "
                    f"times {np.abs(predicted - logs).mean():.3f}, with the pace known {error:.3f}"
                )


if __name__ == "__main__":
    main()
