"""Results and models are equal after pickling, and different if any part differs."""

import dataclasses
import pickle
import typing

import numpy as np
import pytest
from helpers.samples.sudokus import EXAMPLES, LINE
from numpy.typing import NDArray

import nando
from nando.games import GameLog, load_auditor, load_fill_order, read_games
from nando.puzzles.frozen import EqualFields
from nando.rating import PersonModel, Rater
from nando.solvers import SOLVERS, find_solver

SMALL = "3...2./....../.....8/....../...1.2/......"
PACKAGES = ("puzzles", "solvers", "solvers.logic", "rating", "games", "generators", "evaluation")


def players():
    rows = [
        {"player": f"p{i}", "puzzle": puzzle, "seconds": 100.0 + 30 * i + 20 * j + (i * j) % 3}
        for i in range(3)
        for j, puzzle in enumerate(EXAMPLES[:5])
    ]
    z = {puzzle.text: 4.0 + 0.1 * j for j, puzzle in enumerate(EXAMPLES[:5])}
    return PersonModel().fit(rows, z)


RESULTS = {
    "rating": nando.rate,
    "walkthrough": nando.explain,
    "step of a walkthrough": lambda puzzle: nando.explain(puzzle).steps[3],
    "step": lambda puzzle: nando.explain(puzzle).steps[3].step,
    "position": lambda puzzle: nando.explain(puzzle).steps[3].position,
    "listing": lambda puzzle: nando.list_steps(
        puzzle, only=[nando.explain(puzzle).steps[0].step.technique.name]
    ),
    "solution": nando.solve,
    "puzzle": lambda puzzle: nando.solve(puzzle).puzzle,
    "status": lambda puzzle: nando.solve(puzzle).puzzle.status(),
    "run": lambda puzzle: find_solver("exact")().run(nando.solve(puzzle).puzzle),
    "profile": lambda puzzle: find_solver("logic")().profile(nando.solve(puzzle).puzzle),
    "model": lambda puzzle: nando.load_model(kind=nando.solve(puzzle).puzzle.kind),
    "fill orders": lambda puzzle: load_fill_order(kind=nando.solve(puzzle).puzzle.kind),
}


def copied(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("puzzle", [LINE, SMALL])
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_comes_back_equal(name, puzzle):
    value = RESULTS[name](puzzle)
    again = copied(value)
    assert again is not value
    assert again == value
    if name != "profile":  # of the logic solver: it has a dict
        assert hash(again) == hash(value)
    other = RESULTS[name](SMALL if puzzle == LINE else LINE)
    assert other != value or name == "status"  # both are valid


def test_new_puzzles_games_and_audits_come_back_equal(request):
    record = nando.generate(seed=3)
    assert copied(record) == record != nando.generate(seed=4)
    log = read_games(request.config.rootpath / "examples" / "games.csv")
    assert isinstance(log, GameLog)
    assert copied(log) == log
    first, second = log.games[:2]
    assert copied(first) == first != second
    assert hash(copied(first)) == hash(first)
    changed = dataclasses.replace(first, seconds=first.seconds + 1)
    assert changed != first
    auditor = load_auditor()
    assert copied(auditor) == auditor
    audits = auditor.audit([first, second])
    assert copied(audits) == audits
    assert audits[0] != audits[1]


def test_different_values_are_not_equal():
    walk = nando.explain(LINE)
    last = walk.steps[-1].position
    values = last.values.copy()
    values[values == 0] = 1
    assert dataclasses.replace(last, values=values) != last
    assert last != SMALL
    assert nando.load_model(kind="sudoku") != nando.load_model(kind="nurikabe")
    phone = nando.load_model(kind="sudoku").for_crowd("phone")
    assert copied(phone) == phone != nando.load_model(kind="sudoku")
    known = players()
    assert copied(known) == known
    assert hash(copied(known)) == hash(known)


def test_an_array_with_gaps_is_equal_to_its_copy():
    run = find_solver("annealing")().run(nando.solve(LINE).puzzle, rng=1)
    again = dataclasses.replace(run, trace=run.trace.copy())
    assert again == run
    cut = dataclasses.replace(run, trace=run.trace[:-1])
    assert len(run.trace)
    assert cut != run
    game = dataclasses.replace(read_games("examples/games.csv").games[0], waits=None)
    gaps = np.full(len(game.cells), np.nan)
    assert dataclasses.replace(game, waits=gaps) == dataclasses.replace(game, waits=gaps.copy())
    assert dataclasses.replace(game, waits=gaps) != game


def test_a_model_that_is_not_fitted_equals_only_itself():
    for one in (Rater(), PersonModel()):
        assert one == one
        assert copied(one) != one
        assert len({one, copied(one)}) == 2


def results():
    """Yield every public dataclass that is not a solver."""
    for package in PACKAGES:
        module = nando
        for part in package.split("."):
            module = getattr(module, part)
        for name in module.__all__:
            value = getattr(module, name)
            if dataclasses.is_dataclass(value) and value not in SOLVERS:
                yield value


def has_array(kind):
    compared = {field.name for field in dataclasses.fields(kind) if field.compare}
    hints = typing.get_type_hints(kind)
    origins = {np.ndarray, typing.get_origin(NDArray[np.float64])}  # an alias since numpy 2.5
    parts = [part for name in compared for part in (hints[name], *typing.get_args(hints[name]))]
    return any(typing.get_origin(part) in origins for part in parts)


def test_every_public_result_with_arrays_compares_them():
    arrays = [kind for kind in set(results()) if has_array(kind)]
    assert len(arrays) > 5
    assert [kind.__name__ for kind in arrays if not issubclass(kind, EqualFields)] == []
