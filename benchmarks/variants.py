"""Exact search for variants of Sudoku against CP-SAT and pencilmark, genre by genre, in one run.

The published collection and the rated puzzles with one further rule are data sets of nando; see
`fetch_sudoku_variants` and `fetch_sukaku_variants` for where they come from. nando runs on every
puzzle, the best of five runs; peers on a sample, and ratios are means of the same sample. All take
processor time on one core, and count up to two solutions (pencilmark: raises unless there is one).

- search: the search alone, its network prepared;
- one call: all puzzles that share board and rules in a call of the kernel, with its network;
- whole: reading the text, preparing the network, and the search;
- CP-SAT: solving alone, the model prepared; pencilmark: from its own JSON, as it has no other way.

Run: python benchmarks/variants.py --sample 20   (a few minutes)
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from helpers.oracles.cp_sat import first_solutions, model_of

from nando.datasets import fetch_sudoku_variants, fetch_sukaku_variants
from nando.puzzles import Variant
from nando.puzzles.boards.constraints import AllDifferent, Candidates, Pattern, Relation, Sum
from nando.puzzles.rules.outside import Skyscraper
from nando.puzzles.variants.text import symbols_of
from nando.solvers import count_many
from nando.solvers.exact.search import quick_search
from nando.solvers.kinds import Search
from nando.solvers.variants.network import network_of

GOALS = {
    **dict.fromkeys(("diagonals", "windoku", "anti-knight"), 50_000),
    **dict.fromkeys(("kropki", "consecutive", "greater", "odd-even"), 5_000),
    **{"killer 9x9": 1_000, "jigsaw": 20_000, "samurai": 1_000},
}
"""Puzzles a second that the search must reach; for killers by the median."""


def puzzles_of(data_home: str | None) -> dict[str, list[tuple[Variant, Any]]]:
    """Return puzzles of each genre, and the published solution or None."""
    data = fetch_sudoku_variants(data_home=data_home, as_frame=True)
    genres: dict[str, list[tuple[Variant, Any]]] = {}
    for genre, puzzle, solution in zip(
        data.frame["genre"], data.puzzles, data.solutions, strict=True
    ):
        name = genre if genre != "killer" else f"killer {puzzle.size}x{puzzle.size}"
        genres.setdefault(name, []).append((puzzle, solution))
    rated = fetch_sukaku_variants(data_home=data_home, as_frame=True)
    for rule, puzzle in zip(rated.frame["rule"], rated.puzzles, strict=True):
        name = rule if rule != "diagonals" else "diagonals and boxes"
        genres.setdefault(name, []).append((puzzle, None))
    return genres


def searched(puzzle: Variant, repeats: int = 5) -> tuple[float, Search]:
    """Return the seconds of the search alone, and its end."""
    best = float("inf")
    for _ in range(repeats):
        search = quick_search(puzzle)
        start = time.thread_time()
        search.advance(2, 1 << 62)
        best = min(best, time.thread_time() - start)
    return best, search


def whole(text: str) -> float:
    """Return the seconds from a text to its solution."""
    network_of.cache_clear()
    start = time.process_time()
    quick_search(Variant(text)).advance(2, 1 << 62)
    return time.process_time() - start


def pencilmark_text(puzzle: Variant) -> str | None:
    """Return a puzzle as pencilmark reads it, or None if this file cannot say it."""
    board, n = puzzle.board, puzzle.size
    sums = {
        frozenset(own.cells): own.total
        for _, own in puzzle.constraints
        if isinstance(own, Sum) and not own.weights
    }
    regions: dict[frozenset[Any], dict[str, Any]] = {}
    rules: list[dict[str, Any]] = []
    candidates = {}
    for number, own in puzzle.constraints:
        match own:
            case AllDifferent(cells):
                region = {"kind": "region", "cells": list(map(str, cells))}
                if frozenset(cells) in sums:
                    region |= {"kind": "cage", "sum": sums[frozenset(cells)]}
                regions[frozenset(cells)] = region
            case Sum(cells, total, weights):
                if weights:
                    return None
                if frozenset(cells) not in regions:
                    rules.append({"type": "sum", "cells": list(map(str, cells)), "total": total})
            case Relation(first, second, allowed):
                pairs = [[a + 1, b + 1] for a in range(n) for b in range(n) if allowed[a] >> b & 1]
                rules.append(
                    {
                        "type": "pairs",
                        "rel": "allowed",
                        "params": [pairs],
                        "cells": [[str(first), str(second)]],
                    }
                )
            case Pattern(cells):
                rule = puzzle.rules[number]
                if not isinstance(rule, Skyscraper):
                    return None
                rules.append(
                    {"type": "skyscraper", "cells": list(map(str, cells)), "count": rule.number}
                )
            case Candidates(cell, mask):
                kept = [digit for digit in range(1, n + 1) if mask >> digit - 1 & 1]
                candidates[str(cell)] = "".join(map(str, kept))
    cells = set(board.cells)
    shape = [
        "".join("#" if (row, column) in cells else "." for column in range(board.n_columns))
        for row in range(board.n_rows)
    ]
    record = {
        "digits": n,
        "shape": shape,
        "numbers": symbols_of(puzzle.givens),
        "regions": list(regions.values()),
        "rules": rules,
        "candidates": candidates,
    }
    return json.dumps(record)


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of processor time that a call takes, and what it returns."""
    start = time.process_time()
    answer = run()
    return time.process_time() - start, answer


def peers(sample: Sequence[Variant], solutions: Sequence[Any]) -> tuple[float, float | None]:
    """Return the mean seconds of CP-SAT and pencilmark, whose answers must be these."""
    import pencilmark

    theirs, others = [], []
    for puzzle, values in zip(sample, solutions, strict=True):
        cells = values[puzzle.places].tolist()
        model, variables = model_of(puzzle)
        run = partial(first_solutions, puzzle, model, variables)
        seconds, answers = timed(run)
        assert answers == [cells], puzzle
        theirs.append(seconds)
        text = pencilmark_text(puzzle)
        if text is not None:
            seconds, answer = timed(partial(pencilmark.solve, text))
            assert list(answer) == cells, puzzle
            others.append(seconds)
    return float(np.mean(theirs)), float(np.mean(others)) if others else None


def row(name: str, puzzles: Sequence[tuple[Variant, Any]], n_sample: int) -> str:
    """Return a row of the table."""
    rng = np.random.default_rng(0)
    for puzzle, _ in puzzles[:2]:
        whole(puzzle.text)
    ends = [searched(puzzle) for puzzle, _ in puzzles]
    seconds = np.array([end[0] for end in ends])
    unique = [end[1].progress[0] < 0 and end[1].progress[1] == 1 for end in ends]
    equal = [
        bool(one and (published is None or (end[1].solutions[0] == published).all()))
        for one, end, (_, published) in zip(unique, ends, puzzles, strict=True)
    ]
    alone = [puzzle for puzzle, _ in puzzles]
    together = min(timed(partial(count_many, alone))[0] for _ in range(3)) / len(alone)
    n_alike = len({(puzzle.board, puzzle.rules) for puzzle in alone})
    one_call = f"{1 / together:,.0f}" if n_alike < len(alone) / 10 else ""
    all_in = np.array([whole(puzzle.text) for puzzle, _ in puzzles])
    chosen = rng.permutation(len(puzzles))[:n_sample]
    sample = [puzzles[i][0] for i in chosen if unique[i]]
    solutions = [ends[i][1].solutions[0] for i in chosen if unique[i]]
    own = seconds[[i for i in chosen if unique[i]]].mean()
    cp_sat, other = peers(sample, solutions)
    goal = f"{GOALS[name]:,}" if name in GOALS else ""
    parts = [name, f"{len(puzzles)}", f"{sum(unique)}", f"{sum(equal)}"]
    parts += [f"{1e6 * each:,.0f}" for each in (np.median(seconds), seconds.mean(), seconds.max())]
    parts += [f"{1 / seconds.mean():,.0f}", one_call, goal, f"{1e6 * np.median(all_in):,.0f}"]
    for theirs in (cp_sat, other):
        parts += [f"{1000 * theirs:,.1f}", f"{theirs / own:,.0f}"] if theirs else ["-", "-"]
    return f"| {' | '.join(parts)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=20, help="puzzles of a genre for peers")
    parser.add_argument("--most", type=int, default=10_000, help="puzzles of a genre for nando")
    parser.add_argument("--genres", nargs="+", help="default: all")
    parser.add_argument("--data-home", help="folder of the data sets")
    options = parser.parse_args()
    heads = "genre | puzzles | unique | as published | median µs | mean µs | longest µs | a second"
    heads += " | in one call | goal | whole, median µs | CP-SAT ms | ratio | pencilmark ms | ratio"
    print(f"| {heads} |")
    print("| --- |" + " ---: |" * heads.count("|"))
    for name, puzzles in puzzles_of(options.data_home).items():
        if not options.genres or name in options.genres:
            print(row(name, puzzles[: options.most], options.sample), flush=True)


if __name__ == "__main__":
    main()
