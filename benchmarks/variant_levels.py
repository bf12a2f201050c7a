"""Compare the rating of variants with published levels, games, and plain Sudoku.

- Levels: rank correlations within one rule and size, beside pencilmark's, the givens, the guesses
  of the exact search and the clues of rules. No regression set a
  weight, but levels were looked at when weights were chosen.
- Rules left out: weights that only rules have are chosen by the levels and pencil marks of all
  other rules, and then seen on those of the rule.
- Plain Sudoku: the puzzles of crowds, each read as a variant without rules, beside the scale of
  Sudoku and beside people's times and levels.

pencilmark takes seconds to minutes a puzzle, so its cards are kept in a file.

    python benchmarks/variant_levels.py
    pip install pencilmark
    python benchmarks/variant_levels.py --cards cards.json
"""

import argparse
import json
import re
import sys
import time
from importlib.metadata import version
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.datasets import fetch_sudoku_variants
from nando.evaluation.crowds import crowd_targets
from nando.evaluation.scores import bootstrap, score_of, spearman
from nando.evaluation.variants import games_of, groups_with_levels, rules_left_out
from nando.features import FeatureExtractor, groups_of
from nando.features.classes import classes_of
from nando.puzzles import Variant
from nando.rating import load_model
from nando.rating.scale.parts import PART_COLUMNS, parts_of
from nando.rating.scale.published import columns_by_class, published_crowds
from nando.rating.scale.rater import shipped
from nando.rating.variants import EFFORT, PARTS
from nando.stages import counted

sys.path.append(str(Path(__file__).parent))

from variants import pencilmark_text

Array = NDArray[Any]


def card_of(text: str, most_seconds: float) -> list[float]:
    """Return pencilmark's difficulty and minutes."""
    import pencilmark

    card = pencilmark.rate(text, max_seconds=most_seconds)
    return [card["difficulty"], card["time"]]


def cards_of(puzzles: list[Variant], file: Path, most_seconds: float) -> dict[str, list[float]]:
    """Return pencilmark's difficulty and minutes by puzzle, NaN where it gives none.

    Each puzzle has a process of its own, which is ended where the time limit is not kept.
    """
    cards = json.loads(file.read_text()) if file.exists() else {}
    missing = [puzzle for puzzle in puzzles if puzzle.text not in cards]
    for puzzle in counted(missing, "cards", len(missing)):
        card = [np.nan, np.nan]
        if (text := pencilmark_text(puzzle)) is not None:
            with get_context("spawn").Pool(1) as pool:
                result = pool.apply_async(card_of, (text, most_seconds))
                try:
                    card = result.get(timeout=4 * most_seconds + 10)
                except Exception as error:
                    print(f"  {puzzle.text[:60]}: {type(error).__name__}", file=sys.stderr)
        cards[puzzle.text] = card
        file.write_text(json.dumps(cards))
    return cards


def print_levels(cards_file: Path | None, most_seconds: float, n_bootstrap: int) -> None:
    """Print a row for each rule and size with levels."""
    data = fetch_sudoku_variants(as_frame=True)
    heads = ["rule and size", "puzzles", "nando", "fewer givens", "guesses", "fewer clues"]
    if cards_file is not None:
        heads += [f"pencilmark {version('pencilmark')}, difficulty", "its minutes", "it gives none"]
    print(" | ".join(heads))
    exact = FeatureExtractor(["exact"])
    rater = load_model(None, "variant")
    for name, rows, levels in groups_with_levels(data.frame):
        puzzles = [data.puzzles[row] for row in rows]
        minutes = rater.rate(puzzles)["predicted_seconds"].to_numpy()
        samples = bootstrap([puzzle.text for puzzle in puzzles], n_bootstrap, 0)
        columns = [
            minutes,
            np.array([-np.count_nonzero(puzzle.givens) for puzzle in puzzles], float),
            np.asarray(exact.table(puzzles))[:, exact.columns.index("exact_guesses")],
            np.array([-len(re.split("[:+-]", puzzle.text)) for puzzle in puzzles], float),
        ]
        row = [name, str(len(rows)), str(score_of(spearman, minutes[None], levels, samples))]
        row += [f"{spearman(column, levels):.3f}" for column in columns[1:]]
        if cards_file is not None:
            cards = cards_of(puzzles, cards_file, most_seconds)
            theirs = np.array([cards[puzzle.text] for puzzle in puzzles])
            known = ~np.isnan(theirs[:, 0])
            for column in theirs.T:
                both = f"{spearman(column[known], levels[known]):.3f}" if known.any() else "-"
                row.append(both)
            row.append(str(int((~known).sum())))
        print(" | ".join(row), flush=True)


WEIGHTS = {
    "variant_rules": (2.0, 4.0, 8.0, 16.0),
    "variant_relations": (0.05, 0.1, 0.2, 0.4),
    "variant_small_sums": (0.15, 0.3, 0.6),
}
"""Columns whose weights are chosen, and the looks to choose from."""


def print_left_out() -> None:
    """Print, for each rule, the weights chosen without it and what they say about it."""
    data = fetch_sudoku_variants(as_frame=True)
    groups = [("level", *group) for group in groups_with_levels(data.frame)]
    groups += [("marks", *group) for group in games_of(data.frame, data.events)]
    extractor = FeatureExtractor(groups_of(EFFORT.columns))
    table = extractor.class_table(data.puzzles, classes_of(data.puzzles), EFFORT.columns)
    rest = EFFORT.by_part(table).sum(axis=1)
    set_to = {name: own.columns[name] for own in PARTS for name in WEIGHTS if name in own.columns}
    columns = {name: table[:, EFFORT.columns.index(name)] for name in WEIGHTS}
    log_looks, ranks = {}, {}
    for weights in product(*WEIGHTS.values()):
        more = zip(weights, columns.items(), strict=True)
        looks = rest + sum((own - set_to[name]) * column for own, (name, column) in more)
        log_looks[weights] = np.log(looks)
        by_rule = {}
        for kind, name, rows, actual in groups:
            own = by_rule.setdefault(name.split()[0], {}).setdefault(kind, [])
            own.append(spearman(looks[rows], actual))
        ranks[weights] = {
            rule: {kind: np.mean(own) for kind, own in kinds.items()}
            for rule, kinds in by_rule.items()
        }
    used = tuple(set_to[name] for name in WEIGHTS)
    print("rule left out | weights | levels | as shipped | marks | as shipped | misses its moves")
    for rule in ranks[used]:
        others = {
            weights: sum(
                np.mean([own[kind] for name, own in by.items() if name != rule and kind in own])
                for kind in ("level", "marks")
            )
            for weights, by in ranks.items()
        }
        best = max(others, key=others.__getitem__)
        row = [rule, " ".join(f"{weight:g}" for weight in best)]
        for kind in ("level", "marks"):
            row += [f"{ranks[own][rule].get(kind, np.nan):.3f}" for own in (best, used)]
        missed = rules_left_out(log_looks[best], data.frame).get(rule)
        row.append("-" if missed is None else f"{missed.missed:.2f}, {missed.spread:.2f}")
        print(" | ".join(row), flush=True)


def print_sudoku(most: int) -> None:
    """Print how the rating of variants agrees with that of Sudoku, and with people."""
    scale, rater = shipped().scale, load_model(None, "variant")
    print("crowd | puzzles | rank | mean of log ratio | its spread | people: scale | as variants")
    for target in crowd_targets(published_crowds()):
        crowd = target.crowd
        some = np.random.default_rng(0).permutation(len(crowd.classes))[:most]
        classes, actual = [crowd.classes[i] for i in some], crowd.responses[some]
        table = columns_by_class(classes, PART_COLUMNS)
        parts = parts_of(table.loc[classes, list(PART_COLUMNS)].to_numpy())
        classic = np.asarray(scale.log_seconds(parts))
        start = time.process_time()
        theirs = np.log(rater.predict([Variant.of(key) for key in classes]))
        took = time.process_time() - start
        away = theirs - classic
        print(
            f"{target.name} | {len(classes)} | {spearman(theirs, classic):.3f} | {away.mean():.3f} "
            f"| {away.std():.3f} | {spearman(classic, actual):.3f} | {spearman(theirs, actual):.3f}"
            f" ({len(classes) / took:.0f} a second)",
            flush=True,
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=Path, help="keep pencilmark's cards in this file")
    parser.add_argument("--seconds", type=float, default=5.0, help="pencilmark's time limit")
    parser.add_argument("--bootstrap", type=int, default=1000)
    parser.add_argument("--most", type=int, default=400, help="puzzles of each crowd")
    options = parser.parse_args()
    print_levels(options.cards, options.seconds, options.bootstrap)
    print_left_out()
    print_sudoku(options.most)


if __name__ == "__main__":
    main()
