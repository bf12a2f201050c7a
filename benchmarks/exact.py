"""Exact search against peers, on the same puzzles in the same run: counts up to two solutions.

Every answer of a peer is compared with nando's. Peers are what pip installs: python-sat (Glucose,
CaDiCaL), OR-tools (CP-SAT), dokusan and pencilmark; of 9x9, those that are not installed are left
out. Seconds are processor time of one core.

    python benchmarks/exact.py sudoku [FILE ...]     puzzles of 9x9 a second, by everybody
    python benchmarks/exact.py large --count 10      16x16 and 25x25 with one solution, or several
    python benchmarks/exact.py nurikabe [FILE ...]   boards in any form that nando reads
    python benchmarks/exact.py variants --most 500   genre by genre, a few minutes

Without files, 9x9 and Nurikabe take puzzles made here, so that they need no data. The variants are
those of `fetch_sudoku_variants` and `fetch_sukaku_variants`. Of these, "search" is the search alone
with its network prepared, "one call" all puzzles that share board and rules in one call of the
kernel, and "whole" begins with the text. CP-SAT solves a prepared model, pencilmark reads its JSON.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from common import minimal_puzzles

from nando.generators import SudokuSource, generate, lewis_instance, random_grid
from nando.puzzles import Nurikabe, Sudoku, Variant, read_puzzles
from nando.puzzles.boards.constraints import AllDifferent, Candidates, Pattern, Relation, Sum
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.puzzles.rules.outside import Skyscraper
from nando.puzzles.variants.text import symbols_of
from nando.solvers import count_many, count_solutions

sys.path.append(str(Path(__file__).parent.parent / "tests"))

Prepare = Callable[[Any], Callable[[], int]]
"""Prepares a puzzle; what it returns counts the solutions up to two, and this is timed."""


def clauses(puzzle: Sudoku) -> tuple[list[list[int]], int]:
    """Each cell, and each digit in each house, has exactly one; and the number of literals."""
    layout, givens = puzzle.layout, puzzle.givens
    literal: dict[tuple[int, int], int] = {}
    values = range(1, puzzle.size + 1)
    for cell in range(layout.n_cells):
        taken = set(givens[layout.peers[cell]].tolist())
        for value in [int(givens[cell])] if givens[cell] else values:
            if value not in taken:
                literal[cell, value] = len(literal) + 1
    groups = [[(cell, value) for value in values] for cell in range(layout.n_cells)]
    groups += [[(c, value) for c in house] for house in layout.houses.tolist() for value in values]
    formula = []
    for group in groups:
        left = [literal[pair] for pair in group if pair in literal]
        formula.append(left)
        formula += [[-a, -b] for a, b in combinations(left, 2)]
    return formula, len(literal)


def glucose() -> Callable[[Sudoku], int]:
    """python-sat: clauses once, givens as assumptions, a blocking clause for the second."""
    from pysat.solvers import Glucose4

    formula, n_literals = clauses(Sudoku("." * 81))
    solver, free = Glucose4(bootstrap_with=formula), n_literals

    def count(puzzle: Sudoku) -> int:
        nonlocal free
        free += 1  # switches this puzzle's blocking clause off again
        given = [9 * c + int(v) for c, v in enumerate(puzzle.givens) if v]
        if not solver.solve(assumptions=given):
            return 0
        model = [x for x in solver.get_model()[:n_literals] if x > 0]
        solver.add_clause([-x for x in model] + [-free])
        return 2 if solver.solve(assumptions=[*given, free]) else 1

    return count


def cp_sat() -> Callable[[Sudoku], int]:
    """OR-tools CP-SAT with 27 all-different constraints."""
    import ortools  # noqa: F401
    from helpers.oracles.cp_sat import first_solutions, model_of

    def count(puzzle: Sudoku) -> int:
        variant = Variant(puzzle.text)
        return len(first_solutions(variant, *model_of(variant)))

    return count


def dokusan() -> Callable[[Sudoku], int]:
    """Dokusan's backtracking with bit masks; finds one solution and stops."""
    from dokusan import solvers
    from dokusan.boards import BoxSize
    from dokusan.boards import Sudoku as Board

    def count(puzzle: Sudoku) -> int:
        board = Board.from_list(puzzle.givens.reshape(9, 9).tolist(), box_size=BoxSize(3, 3))
        return 1 if solvers.backtrack(board) is not None else 0

    return count


PEERS = {"python-sat": glucose, "OR-tools": cp_sat, "dokusan": dokusan}


def print_sudoku(options: argparse.Namespace) -> None:
    """Print puzzles of 9x9 a second, and ratios."""
    sets = files_of(options.files, Sudoku) or {"minimal puzzles dug here": minimal_puzzles(300)}
    for name, puzzles in sets.items():
        count_many(puzzles[:1])
        own = rate(lambda puzzles=puzzles: count_many(puzzles), 5)
        single = rate(lambda puzzles=puzzles: [count_solutions(p) for p in puzzles], 3)
        print(f"{name}: {len(puzzles):,} puzzles")
        print(f"  {'nando, in one call':24} {own:12,.0f}/s")
        print(f"  {'nando, one by one':24} {single:12,.0f}/s  {own / single:10,.1f}x")
        for peer, build in PEERS.items():
            try:
                count = build()
            except ImportError:
                print(f"  {peer:24} not installed")
                continue
            start, done = time.process_time(), 0
            while done < len(puzzles) and time.process_time() - start < options.seconds:
                assert count(puzzles[done]) == 1, puzzles[done]
                done += 1
            theirs = done / (time.process_time() - start)
            print(f"  {peer:24} {theirs:12,.0f}/s  {own / theirs:10,.1f}x")


def rate(count: Callable[[], Sequence[int]], repeats: int) -> float:
    """Answers of `count` a second, the best of several; every answer must be 1."""
    best = float("inf")
    for _ in range(repeats):
        seconds, answers = timed(count)
        best = min(best, seconds)
        assert set(answers) == {1}, set(answers)
    return len(answers) / best


def files_of(files: Sequence[str], kind: Any) -> dict[str, list[Any]]:
    """The puzzles of files, by the name of the file."""
    return {
        Path(file).name: [one.puzzle for one in read_puzzles(file, kind) if one.puzzle is not None]
        for file in files
    }


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds of processor time that a call takes, and what it returns."""
    start = time.process_time()
    answer = run()
    return time.process_time() - start, answer


# Larger grids and Nurikabe: each solver has so many seconds for a puzzle, in a process of its own.

SHARES = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)


def nando(puzzle: Any) -> Callable[[], int]:
    return lambda: count_solutions(puzzle)


def sat(name: str) -> Prepare:
    """python-sat on the clauses that the givens leave; loading and solving counts."""
    import pysat.solvers

    solver_class = getattr(pysat.solvers, name)

    def prepare(puzzle: Sudoku) -> Callable[[], int]:
        formula, n_literals = clauses(puzzle)

        def count() -> int:
            solver = solver_class(bootstrap_with=formula)
            if not solver.solve():
                return 0
            solver.add_clause([-x for x in solver.get_model()[:n_literals] if x > 0])
            return 2 if solver.solve() else 1

        return count

    return prepare


def print_race(
    title: str, puzzles: Sequence[Any], solvers: dict[str, Prepare], seconds: float
) -> None:
    """Print a row: decided, median, mean and longest milliseconds of each solver."""
    answers = np.full((len(solvers), len(puzzles)), -1)
    took = np.zeros(answers.shape)
    for j, puzzle in enumerate(puzzles):
        for i, prepare in enumerate(solvers.values()):
            answers[i, j], took[i, j] = limited(prepare(puzzle), seconds)
        assert len(set(answers[:, j].tolist()) - {-1}) <= 1, (title, answers[:, j], puzzle)
    best = answers.max(axis=0)
    cells = [
        f"{(row >= 0).sum()}: {np.median(ms):,.2f} / {ms.mean():,.2f} / {ms.max():,.1f}"
        for row, ms in zip(answers, 1000 * took, strict=True)
    ]
    counts = f"{len(puzzles)} | {(best == 1).sum()} / {(best == 2).sum()}"
    print(f"| {title} | {counts} | {' | '.join(cells)} |", flush=True)


def print_head(solvers: Sequence[str]) -> None:
    print(
        "decided: median / mean / longest, in milliseconds; what was not decided has all its time"
    )
    print(f"| set | puzzles | one / several | {' | '.join(solvers)} |")
    print(f"| --- | ---: | ---: |{' ---: |' * len(solvers)}")


def limited(count: Callable[[], int], seconds: float) -> tuple[int, float]:
    """The count and the seconds that it took; -1 and all seconds where it was not done in time."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=_answer, args=(sender, count, seconds)
    )
    process.start()
    sender.close()
    try:
        answer = receiver.recv()
    except EOFError:
        answer = -1, seconds
    process.join()
    return answer


def _answer(pipe: Connection, count: Callable[[], int], seconds: float) -> None:
    end = int(np.ceil(time.process_time() + seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + 1))
    took, answer = timed(count)
    pipe.send((answer, took))


def print_large(options: argparse.Namespace) -> None:
    """Print a row for each share of givens, for minimal puzzles, and for these less one given."""
    solvers = {"nando": nando, "Glucose 4": sat("Glucose4"), "CaDiCaL": sat("Cadical153")}
    print_head(list(solvers))
    for order in options.orders:
        count_solutions(Sudoku("." * order**4))  # compiles
        for name, puzzles in larger_sets(order, options.count).items():
            print_race(f"order {order}, {name}", puzzles, solvers, options.seconds)


def larger_sets(order: int, count: int) -> dict[str, list[Sudoku]]:
    """Puzzles to decide: Lewis keeps each cell of a random grid with probability p."""
    named = {}
    for share in SHARES:
        rng = np.random.default_rng(round(1000 * share))
        named[f"Lewis, p = {share}"] = [
            lewis_instance(share, order, rng, grid=random_grid(order, rng)) for _ in range(count)
        ]
    source = SudokuSource(order=order, minimal=True)
    named["minimal"] = [each.puzzle for each in generate(source, count, seed=order)]
    fewer = []
    rng = np.random.default_rng(order)
    for puzzle in named["minimal"]:
        givens = puzzle.givens.copy()
        givens[rng.choice(np.flatnonzero(givens))] = 0
        fewer.append(Sudoku.from_values(givens))
    return named | {"minimal less one": fewer}


def print_nurikabe(options: argparse.Namespace) -> None:
    """Print a row for each file: nando, its trials of single cells alone, and Glucose."""
    from nando.solvers.exact.nurikabe.probing import ProbingSearch

    def trials(puzzle: Nurikabe) -> Callable[[], int]:
        def count() -> int:
            search = ProbingSearch(puzzle)
            search.advance(2, 1 << 62)
            return int(search.progress[1])

        return count

    solvers = {"nando": nando, "trials alone": trials, "Glucose 4": nurikabe_glucose()}
    for prepare in solvers.values():
        prepare(Nurikabe("...../.?.1./...../1..?./....."))()  # compiles
    sets = files_of(options.files, Nurikabe)
    print_head(list(solvers))
    for name, puzzles in (sets or {f"{n}x{n} drawn here": drawn(100, n) for n in (5, 7)}).items():
        step = max(len(puzzles) // options.count, 1)
        print_race(name, puzzles[::step], solvers, options.seconds)


def drawn(n: int, side: int, seed: int = 0) -> list[Nurikabe]:
    """Puzzles with one solution or two, from numbers drawn at random."""
    rng = np.random.default_rng(seed)
    puzzles: list[Nurikabe] = []
    while len(puzzles) < n:
        numbers = np.where(rng.random((side, side)) < 0.15, rng.integers(1, 6, (side, side)), 0)
        puzzle = Nurikabe.from_numbers(numbers)
        if puzzle.status().valid and count_solutions(puzzle, limit=3) in (1, 2):
            puzzles.append(puzzle)
    return puzzles


def nurikabe_glucose() -> Prepare:
    """python-sat: 2x2 blocks at once, the other rules as a model breaks them; true is white."""
    from pysat.solvers import Glucose4

    def prepare(puzzle: Nurikabe) -> Callable[[], int]:
        return partial(count, puzzle)

    def count(puzzle: Nurikabe) -> int:
        near = neighbours(puzzle)
        numbered = np.flatnonzero(puzzle.numbers).tolist()
        if any(b in near[a] for a, b in combinations(numbered, 2)):
            return 0
        cells = np.arange(1, puzzle.n_cells + 1).reshape(puzzle.shape)
        corners = (cells[1:, 1:], cells[1:, :-1], cells[:-1, 1:], cells[:-1, :-1])
        with Glucose4(bootstrap_with=np.stack(corners, -1).reshape(-1, 4).tolist()) as solver:
            for cell in numbered:
                solver.add_clause([cell + 1])
            for cell in range(puzzle.n_cells):
                if not puzzle.numbers[cell] and sum(c in numbered for c in near[cell]) > 1:
                    solver.add_clause([-(cell + 1)])
            n_found = 0
            while n_found < 2 and solver.solve():
                white = {x for x in solver.get_model() or [] if x > 0}
                values = [WHITE if c + 1 in white else BLACK for c in range(puzzle.n_cells)]
                broken = broken_clauses(puzzle, np.array(values), near)
                if not broken:
                    n_found += 1
                    broken = [[-c if c in white else c for c in range(1, puzzle.n_cells + 1)]]
                for clause in broken:
                    solver.add_clause(clause)
            return n_found

    return prepare


def broken_clauses(puzzle: Nurikabe, values: np.ndarray, near: list[list[int]]) -> list[list[int]]:
    """Clauses that the values break and every solution keeps."""
    numbers = puzzle.numbers
    parts = list(groups(values, near))
    rivers = [group for colour, group in parts if colour == BLACK]
    broken = []
    for colour, group in parts:
        own = [int(numbers[cell]) for cell in group if numbers[cell]]
        edge = {other for cell in group for other in near[cell]} - group
        inside, outside = [-(cell + 1) for cell in group], [cell + 1 for cell in edge]
        if colour == BLACK:
            if len(rivers) > 1:
                # This group is left, or it is not all black, or no other cell is black.
                other = next(iter(next(r for r in rivers if r is not group)))
                broken.append([next(iter(group)) + 1, other + 1, *(-c for c in outside)])
        elif len(own) > 1 or (own and own[0] > 0 and len(group) > own[0]):
            broken.append(inside)
        elif not own or (own[0] > 0 and len(group) < own[0]):
            broken.append(inside + outside)
    return broken


def neighbours(puzzle: Nurikabe) -> list[list[int]]:
    """Cells beside each cell."""
    n_rows, n_columns = puzzle.shape
    return [
        [
            n_columns * (row + down) + column + right
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
            if 0 <= row + down < n_rows and 0 <= column + right < n_columns
        ]
        for row in range(n_rows)
        for column in range(n_columns)
    ]


def groups(values: np.ndarray, near: list[list[int]]) -> Iterator[tuple[int, set[int]]]:
    """Colour and cells of each group of joined cells."""
    left = set(range(len(near)))
    while left:
        start = left.pop()
        group, queue = {start}, [start]
        while queue:
            beside = {c for c in near[queue.pop()] if c in left and values[c] == values[start]}
            left -= beside
            group |= beside
            queue += beside
        yield int(values[start]), group


def print_variants(options: argparse.Namespace) -> None:
    """Print a row for each genre."""
    heads = "genre | puzzles | unique | as published | median µs | mean µs | longest µs | a second"
    heads += " | in one call | whole, median µs | CP-SAT ms | ratio | pencilmark ms | ratio"
    print(f"| {heads} |")
    print("| --- |" + " ---: |" * heads.count("|"))
    for name, puzzles in genres().items():
        if not options.genres or name in options.genres:
            print(variant_row(name, puzzles[: options.most], options.sample), flush=True)


def genres() -> dict[str, list[tuple[Variant, Any]]]:
    """Puzzles of each genre, and the published solution or None."""
    from nando.datasets import fetch_sudoku_variants, fetch_sukaku_variants

    data = fetch_sudoku_variants(as_frame=True)
    genres: dict[str, list[tuple[Variant, Any]]] = {}
    for genre, puzzle, solution in zip(
        data.frame["genre"], data.puzzles, data.solutions, strict=True
    ):
        name = genre if genre != "killer" else f"killer {puzzle.size}x{puzzle.size}"
        genres.setdefault(name, []).append((puzzle, solution))
    rated = fetch_sukaku_variants(as_frame=True)
    for rule, puzzle in zip(rated.frame["rule"], rated.puzzles, strict=True):
        name = rule if rule != "diagonals" else "diagonals and boxes"
        genres.setdefault(name, []).append((puzzle, None))
    return genres


def variant_row(name: str, puzzles: Sequence[tuple[Variant, Any]], n_sample: int) -> str:
    """A row of the table; the peers solve a sample, and ratios are means of this sample."""
    from nando.solvers.exact.search import quick_search
    from nando.solvers.variants.network import network_of

    def search(puzzle: Variant) -> tuple[float, Any]:
        searches = [quick_search(puzzle) for _ in range(5)]
        return min(timed(partial(each.advance, 2, 1 << 62))[0] for each in searches), searches[0]

    def whole(puzzle: Variant) -> float:
        network_of.cache_clear()
        return timed(lambda: quick_search(Variant(puzzle.text)).advance(2, 1 << 62))[0]

    alone = [puzzle for puzzle, _ in puzzles]
    for puzzle in alone[:2]:
        whole(puzzle)  # compiles
    times, ends = zip(*map(search, alone), strict=True)
    seconds = np.array(times)
    unique = [end.progress[0] < 0 and end.progress[1] == 1 for end in ends]
    equal = [
        bool(one and (published is None or (end.solutions[0] == published).all()))
        for one, end, (_, published) in zip(unique, ends, puzzles, strict=True)
    ]
    together = min(timed(partial(count_many, alone))[0] for _ in range(3)) / len(alone)
    n_alike = len({(puzzle.board, puzzle.rules) for puzzle in alone})
    chosen = [i for i in np.random.default_rng(0).permutation(len(alone))[:n_sample] if unique[i]]
    theirs = peer_seconds([alone[i] for i in chosen], [ends[i].solutions[0] for i in chosen])
    parts = [name, f"{len(puzzles)}", f"{sum(unique)}", f"{sum(equal)}"]
    parts += [f"{1e6 * each:,.0f}" for each in (np.median(seconds), seconds.mean(), seconds.max())]
    parts += [f"{1 / seconds.mean():,.0f}"]
    parts += [f"{1 / together:,.0f}" if n_alike < len(alone) / 10 else ""]
    parts += [f"{1e6 * np.median([whole(puzzle) for puzzle in alone]):,.0f}"]
    for peer in theirs:
        ratio = peer / seconds[chosen].mean() if peer else 0.0
        parts += [f"{1000 * peer:,.1f}", f"{ratio:,.0f}"] if peer else ["-", "-"]
    return f"| {' | '.join(parts)} |"


def peer_seconds(sample: Sequence[Variant], solutions: Sequence[Any]) -> tuple[float, float | None]:
    """The mean seconds of CP-SAT and pencilmark, whose answers must be these."""
    import pencilmark
    from helpers.oracles.cp_sat import first_solutions, model_of

    theirs, others = [], []
    for puzzle, values in zip(sample, solutions, strict=True):
        cells = values[puzzle.places].tolist()
        seconds, answers = timed(partial(first_solutions, puzzle, *model_of(puzzle)))
        assert answers == [cells], puzzle
        theirs.append(seconds)
        if (text := pencilmark_text(puzzle)) is not None:
            seconds, answer = timed(partial(pencilmark.solve, text))
            assert list(answer) == cells, puzzle
            others.append(seconds)
    return float(np.mean(theirs)), float(np.mean(others)) if others else None


def pencilmark_text(puzzle: Variant) -> str | None:
    """A puzzle as pencilmark reads it, or None if this file cannot say it."""
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
                both = [[str(first), str(second)]]
                rules.append({"type": "pairs", "rel": "allowed", "params": [pairs], "cells": both})
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


PRINTED = {
    "sudoku": print_sudoku,
    "large": print_large,
    "nurikabe": print_nurikabe,
    "variants": print_variants,
}


def main() -> None:
    """Print the tables of a kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=PRINTED)
    parser.add_argument("files", nargs="*", help="for sudoku and nurikabe")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each peer, or puzzle")
    parser.add_argument("--count", type=int, default=10, help="large, nurikabe: puzzles of a set")
    parser.add_argument("--orders", type=int, nargs="+", default=[4, 5], help="large")
    parser.add_argument("--sample", type=int, default=20, help="variants: puzzles for peers")
    parser.add_argument("--most", type=int, default=10_000, help="variants: puzzles of a genre")
    parser.add_argument("--genres", nargs="+", help="variants; default: all")
    options = parser.parse_args()
    PRINTED[options.kind](options)


if __name__ == "__main__":
    main()
