"""Numbers, names and seeds that make no sense are one clear error in every public function."""

import inspect
import re
import types
import typing
from functools import partial

import numpy as np
import pytest
from helpers.samples.sudokus import EXAMPLES, LINE

import nando
from nando import books, evaluation, games, generators, puzzles, rating, solvers
from nando.checks import LARGEST
from nando.features import FeatureExtractor, SolverFeatures
from nando.names import Grade, Kind, Language, Method, ReadFormat, Style, Symmetry, WriteFormat
from nando.reproduction import Settings
from nando.solvers import SOLVERS
from nando.solvers.logic import LANGUAGES, STYLES

MODEL = nando.load_model()
ORDER = games.ListOrder(lambda puzzle, runs, rng: np.arange(81.0))

FUNCTIONS = {
    "rate": partial(nando.rate, LINE),
    "solve": partial(nando.solve, LINE, method="annealing"),
    "list_steps": partial(nando.list_steps, LINE),
    "generate": nando.generate,
    "a batch": partial(generators.generate, generators.SudokuSource(), count=2),
    "random_grid": generators.random_grid,
    "root_grid": generators.root_grid,
    "lewis_instance": partial(generators.lewis_instance, p=0.5),
    "SudokuSource": generators.SudokuSource,
    "NurikabeSource": generators.NurikabeSource,
    "count_solutions": partial(solvers.count_solutions, LINE),
    "count_many": partial(solvers.count_many, [LINE]),
    "Limit": solvers.Limit,
    **{solver.__name__: solver for solver in SOLVERS},
    "a profile": partial(solvers.Refutation().profile, EXAMPLES[0]),
    "a repeated profile": partial(solvers.Annealing().profile, EXAMPLES[0]),
    "a drawn profile": partial(solvers.SearchTime().profile, EXAMPLES[0]),
    "FeatureExtractor": lambda **options: FeatureExtractor(**options).table(EXAMPLES[:2]),
    "SolverFeatures": lambda **options: SolverFeatures(**options).fit_transform(EXAMPLES[:2]),
    "Bank": partial(rating.Bank, MODEL),
    "Ladder": partial(rating.Ladder, rating.Bank(MODEL)),
    "interval": partial(MODEL.predict_interval, EXAMPLES[:2]),
    "ListOrder": partial(games.ListOrder, lambda puzzle, runs, rng: np.arange(81.0)),
    "a list's order": partial(ORDER.expected_order, EXAMPLES[0]),
    "Auditor.fit": partial(games.Auditor.fit, []),
    "Part": books.Part,
    "BookSpec": books.BookSpec,
    "Design": books.Design,
    "evaluate": partial(evaluation.evaluate, EXAMPLES[:2], [60.0, 70.0], target="times"),
    "evaluate_crowds": evaluation.evaluate_crowds,
    "evaluate_order": partial(evaluation.evaluate_order, []),
    "Settings": Settings,
}
"""What takes numbers; all else that it needs is given."""

SIGNATURES = {"FeatureExtractor": FeatureExtractor, "SolverFeatures": SolverFeatures}
SOURCE_OPTIONS = {
    "order": int,
    "most_per_house": int,
}
"""Numbers of :func:`nando.generate` that its signature leaves to the source."""


def numbers_of(name):
    """Yield the numeric parameters of a function: name, True if whole, True if None is allowed."""
    function = SIGNATURES.get(name, FUNCTIONS[name])
    plain = function.func if isinstance(function, partial) else function
    hints = {
        each.name: each.annotation
        for each in inspect.signature(plain).parameters.values()
        if not isinstance(each.annotation, str)
    }
    if name == "generate":
        hints |= SOURCE_OPTIONS
    for parameter, hint in hints.items():
        kinds = set(typing.get_args(hint)) if isinstance(hint, types.UnionType) else {hint}
        kinds -= {types.NoneType}
        if parameter != "return" and kinds and kinds <= {int, float}:
            yield parameter, kinds == {int}


NUMBERS = [(name, *number) for name in FUNCTIONS for number in numbers_of(name)]


def test_every_function_of_the_list_takes_numbers():
    assert {name for name, *_ in NUMBERS} == set(FUNCTIONS) - {
        "BruteForce", "ConstraintProgramming", "HybridAnnealing",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "parameter", "is_whole"), NUMBERS)
def test_invalid_numbers_are_refused(name, parameter, is_whole):
    """Text, lists, truth values and NaN are refused, fractions and 10**20 as whole numbers."""
    wrong = ["3", [3], True, {}, complex(1), float("nan"), np.datetime64("2020-01-01")]
    for value in [*wrong, 1.5, 3.0, 10**20, -(10**20)] if is_whole else wrong:
        with pytest.raises((TypeError, ValueError)) as raised:
            FUNCTIONS[name](**{parameter: value})
        message = str(raised.value)
        assert re.search(rf"\b{parameter}\b", message), (value, message)
        assert "got " in message, (value, message)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_right_type = is_number and not (is_whole and isinstance(value, float))
        assert isinstance(raised.value, ValueError if is_right_type else TypeError), value


@pytest.mark.parametrize("seed", [7, np.int64(7), np.uint8(7), 2**62, LARGEST])
def test_seeds_of_any_integer_type(seed):
    (record,) = nando.generate(count=1, seed=seed)
    assert record.seed == int(seed)
    assert type(record.seed) is int
    assert [record] == nando.generate(count=1, seed=int(seed))


def test_without_a_seed_one_is_drawn_and_recorded():
    first, second = (nando.generate(seed=None, count=2) for _ in range(2))
    assert first[0].seed == first[1].seed != second[0].seed
    assert nando.generate(seed=first[0].seed, count=2) == first
    assert first[0].to_dict()["seed"] == first[0].seed < 2**48
    one, other = (nando.solve(LINE, method="annealing", seed=None, steps=2_000) for _ in range(2))
    assert one.seed != other.seed
    again = nando.solve(LINE, method="annealing", seed=one.seed, steps=2_000)
    assert (again, again.seed) == (one, one.seed)
    assert nando.solve(LINE).seed == 0


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"minutes": 8, "tolerance": 2}, ValueError, "tolerance must be between 0 and 1, got 2"),
        ({"count": 10**5_000}, ValueError, "count must be at most .*, got a larger number"),
        ({"puzzle": "nurikabe"}, TypeError, "generate has no option 'puzzle'; did you mean 'kind'"),
        ({"minuts": 3}, TypeError, "generate has no option 'minuts'; did you mean 'minutes'"),
        ({"xyz": 3}, TypeError, "generate has no option 'xyz'; it has kind, minutes, "),
        ({"kind": "nurikabe", "size": (5, "5")}, TypeError, "size must be text such as 8x6"),
        ({"kind": "nurikabe", "mean_size": "3"}, TypeError, "mean_size must be a number, got '3'"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be a number of cores, or -1 for all, got 0"),
        ({"minutes": 10**400}, ValueError, "minutes must be a finite number"),
        ({"minutes": 5, "percentile": 50}, ValueError, "minutes and percentile contradict"),
        ({"rules": 5}, TypeError, "rule must be text or a list, got 5"),
        ({"size": True}, TypeError, "size must be text such as 8x6, or a number"),
        ({"pattern": "x" * 80}, ValueError, "pattern must have 81 cells, got 80"),
    ],
)
def test_generate_says_what_is_wrong(options, kind, message):
    with pytest.raises(kind, match=message):
        nando.generate(**options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            partial(nando.explain, LINE, language="xx"),
            "language must be one of en, de, fr, .* ja, got 'xx'",
        ),
        (partial(nando.explain, LINE, language=["en"]), r"language must be one of .*got \['en'\]"),
        (partial(nando.explain, LINE, style="SE"), "style must be one of nando, se, .*got 'SE'"),
        (partial(nando.list_steps, LINE, style="x"), "style must be one of nando, se, .*got 'x'"),
        (partial(nando.solve, LINE, method="magic"), "unknown solver 'magic'"),
        (partial(nando.rate, LINE, kind="chess"), "unknown puzzle kind 'chess'"),
        (partial(nando.rate, LINE, errors=None), "errors must be one of raise, return, got None"),
    ],
)
def test_invalid_names_are_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_names_of_types_are_those_of_the_tables():
    """The literals for type checkers are the names known at run time."""
    from nando.names import Order, PageLanguage
    from nando.puzzles.formats.registry import FORMATS
    from nando.puzzles.sudoku.layout import ORDERS
    from nando.solvers.logic.language import PAGE_LANGUAGES

    def listed(names):
        return list(typing.get_args(names))

    assert listed(Kind) == [puzzle.kind for puzzle in puzzles.PUZZLES]
    assert set(generators.SOURCES) <= set(listed(Kind))
    assert listed(Grade) == list(rating.GRADES)
    assert listed(Symmetry) == list(generators.SYMMETRIES)
    assert listed(Order) == list(ORDERS)
    assert listed(Language) == list(LANGUAGES)
    assert listed(PageLanguage) == list(PAGE_LANGUAGES)
    assert listed(Style) == list(STYLES)
    assert listed(Method) == [solver.name for solver in SOLVERS]
    assert listed(WriteFormat) == [known.name for known in FORMATS if known.write is not None]
    assert set(listed(ReadFormat)) <= {known.name for known in FORMATS}
