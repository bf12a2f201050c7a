"""Draw plausible players from the habits that players' guides and logs describe.

A player of Sudoku sees singles by eye, with pencil marks, or both ways. The last fill may draw the
player's attention in one or two ways: to its box, row, column, digit or neighbourhood, to the next
cells in reading order, or to a new single. Players follow these habits more or less strictly, and
slip. All of this is drawn broadly on purpose: every honest player should resemble somebody in the
population, which does not describe the typical player.

About other kinds little is published, so their players are drawn around known ones. A drawn player
of Nurikabe has the mean habits of the known players. Each habit is varied at random by the spread
of the known players and by half of the habit itself. The strictness varies, too. A drawn player of
variants has the habits of a known player or the mean of all, and the last fill draws the player's
attention in one or two of the ways of Sudoku.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nando.games.fill_order import place_coefficients
from nando.games.people.persons import Person, Persons, draw_slips, evenly_in_logs
from nando.puzzles import Sudoku, Variant

STRICT = 0.25
"""Share of players who keep to their habits strictly."""
HASTY = 0.15
"""Share of players who often fill cells that do not follow yet."""
LOOKING = 0.08
"""Share of players who look anywhere, and find the cells that are easily seen."""
ROUNDS = 0.08
"""Share of players who go through the grid in rounds and fill whatever they find."""

_Draw = Callable[[float, float], float]
_Habit = Callable[[_Draw], Mapping[str, float]]


def _by_eye(draw: _Draw) -> dict[str, float]:
    """Prefer hidden singles of boxes, and among them fuller houses."""
    return {
        "box_single": draw(0, 3),
        "line_single": draw(-1, 1.5),
        "naked_single": draw(-3, 1),
        "log_hidden_empties": -draw(0, 1.5),
        "log_naked_empties": -draw(0, 2.5),
    }


def _with_marks(draw: _Draw) -> dict[str, float]:
    """Prefer naked singles, because candidates are noted by hand or by the app."""
    return {
        "box_single": draw(-5, 0.5),
        "line_single": draw(-6, 0),
        "naked_single": draw(0.5, 2.5),
        "log_hidden_empties": -draw(0, 1.5),
        "log_naked_empties": -draw(0, 0.7),
    }


def _either_way(draw: _Draw) -> dict[str, float]:
    """Have no preference among singles."""
    return {
        "box_single": draw(-0.3, 0.8),
        "line_single": draw(-0.6, 0.6),
        "naked_single": draw(-0.8, 0.8),
        "log_hidden_empties": -draw(0, 1.5),
        "log_naked_empties": -draw(0, 2.5),
    }


SIGHTS: tuple[_Habit, ...] = (_by_eye, _by_eye, _with_marks, _either_way)
"""Ways to see singles, drawn with equal probability."""


def _house(name: str, ahead: str) -> _Habit:
    """Stay in the same house; then perhaps continue with the next houses in turn."""

    def pull(draw: _Draw) -> dict[str, float]:
        in_turn = draw(0, 1) < 0.6
        return {name: draw(1, 4), ahead: -draw(1, 8) if in_turn else 0.0}

    return pull


def _digit(draw: _Draw) -> dict[str, float]:
    if draw(0, 1) >= 0.6:
        return {"same_digit": draw(1, 4)}
    return {
        "same_digit": draw(1, 4),
        "next_digit": draw(0, 1),
        "digits_ahead": -draw(0, 8),
        "digits_skipped": -draw(0, 0.7),
    }


def _onwards(draw: _Draw) -> dict[str, float]:
    return {
        "ahead_in_scan": draw(0.5, 3),
        "next_in_scan": draw(0, 2),
        "rows_ahead": -draw(0, 8),
        "distance": -draw(0, 4),
    }


def _fresh(draw: _Draw) -> dict[str, float]:
    return {
        "fresh": draw(0.5, 3),
        "fresh_house": draw(0, 1.5),
        "fresh_digit": draw(0, 1.5),
        "log_age": -draw(0, 0.6),
    }


PULLS: tuple[_Habit, ...] = (
    _house("same_box", "boxes_ahead"),
    _house("same_row", "rows_ahead"),
    _house("same_column", "columns_ahead"),
    _digit,
    lambda draw: {"distance": -draw(2, 12)},
    _onwards,
    _fresh,
    lambda _: {},
)
"""Ways in which the last fill draws the attention."""


def sudoku_players(count: int, rng: np.random.Generator, _known: Sequence[Person] = ()) -> Persons:
    """Draw players of Sudoku with equal weights, whoever is known."""
    n_looking, n_rounds = round(LOOKING * count), round(ROUNDS * count)
    return Persons.of(
        _looking_anywhere(rng)
        if i < n_looking
        else _in_rounds(rng, _ROUNDS[i % len(_ROUNDS)])
        if i < n_looking + n_rounds
        else _with_habits(rng)
        for i in range(count)
    )


def _with_habits(rng: np.random.Generator) -> Person:
    draw = rng.uniform
    strict = draw() < STRICT
    values: dict[str, float] = {}
    sight = dict(SIGHTS[rng.integers(len(SIGHTS))](draw))
    # Preference for a single over a cell that does not follow.
    base = draw(5, 8) if strict else draw(2.8, 7)
    least = min(sight["box_single"], sight["line_single"], sight["naked_single"])
    line = base + sight.pop("line_single")
    _add(values, sight)
    _add(values, {"box_single": base, "naked_single": base})
    _add(values, {"row_single": line, "column_single": line})
    _add(
        values,
        {
            # A second way to see a cell adds only a part of its weight.
            "further_ways": -base - draw(0, 1) * least,
            "last_in_house": draw(0, 2.5),
            "locked_single": base - draw(1, 5),
            "subset_single": base - draw(2, 6),
            "two_candidates": draw(0, 1.5),
            "log_candidates": -draw(0, 0.6),
            "refutable": draw(0, 2),
            "digit_placed": rng.normal(0, 1.2),
            "distance": -draw(0, 1.5),
            "same_digit": draw(0, 0.7),
            "same_box": draw(0, 0.5),
            "log_overlooked": -draw(0, 0.5),
        },
    )
    for pull in rng.choice(len(PULLS), 2 if draw() < 0.5 else 1, replace=False):
        strength = draw(1.5, 3) if strict else draw(0.4, 1.3)
        _add(values, {name: strength * value for name, value in PULLS[pull](draw).items()})
    if strict:
        slips = draw(0.005, 0.05), draw(0.002, 0.02)
    else:
        guesses = (0.03, 0.12) if draw() < HASTY else (0.002, 0.03)
        slips = draw(0.01, 0.12), evenly_in_logs(rng, *guesses)
    return _person("strict" if strict else "drawn", values, slips)


def _looking_anywhere(rng: np.random.Generator) -> Person:
    draw = rng.uniform
    base = draw(3, 6)
    line = base + draw(-0.7, 0.3)
    values = {
        "box_single": base + draw(0.2, 1.2),
        "row_single": line,
        "column_single": line,
        "naked_single": base + draw(-1.5, 0),
        "further_ways": -0.9 * base,
        "last_in_house": draw(0.5, 1.5),
        "log_hidden_empties": -draw(0.2, 1),
        "log_naked_empties": -draw(0.3, 1.2),
        "locked_single": base - draw(0.5, 3),
        "subset_single": base - draw(1, 4),
        "distance": -draw(0, 2.5),
        "same_box": draw(0, 0.7),
        "same_digit": draw(0, 1),
    }
    return _person("looking anywhere", values, (0.02, evenly_in_logs(rng, 0.005, 0.12)))


_ROUNDS = ("skipped_by_rows", "skipped_by_columns", "skipped_by_boxes", "skipped_by_digits")


def _in_rounds(rng: np.random.Generator, way: str) -> Person:
    draw = rng.uniform
    base = draw(6, 9)
    sight = rng.choice(["all", "all", "marks", "eye"])
    naked = {"all": 0.0, "marks": draw(1, 4), "eye": -draw(1, 4)}[str(sight)]
    values = {
        "box_single": base,
        "row_single": base,
        "column_single": base,
        "naked_single": base + naked,
        "further_ways": -base - min(naked, 0.0),
        "last_in_house": draw(0, 1),
        "locked_single": base - draw(1, 5),
        "subset_single": base - draw(2, 6),
        way: -evenly_in_logs(rng, 0.3, 4),
    }
    return _person("in rounds", values, (draw(0.005, 0.08), draw(0.002, 0.02)))


def _add(totals: dict[str, float], more: Mapping[str, float]) -> None:
    for name, value in more.items():
        totals[name] = totals.get(name, 0.0) + value


def _person(name: str, weights: Mapping[str, float], slips: tuple[float, float]) -> Person:
    return Person(name, place_coefficients(weights, Sudoku.kind), slips)


def nurikabe_players(count: int, rng: np.random.Generator, known: Sequence[Person]) -> Persons:
    """Draw players of Nurikabe with equal weights; at least one player must be known."""
    fits = np.array([person.coefficients for person in known])
    mean = fits.mean(axis=0)
    spread = fits.std(axis=0) + 0.5 * np.abs(mean)
    return Persons.of(
        Person(
            "drawn",
            rng.uniform(0.5, 1.3) * (mean + spread * rng.normal(0.0, 1.0, len(mean))),
            draw_slips(rng),
        )
        for _ in range(count)
    )


def variant_players(count: int, rng: np.random.Generator, known: Sequence[Person]) -> Persons:
    """Draw players of variants with equal weights; at least one player must be known."""
    fits = np.array([person.coefficients for person in known])
    return Persons.of(_variant_player(rng, fits) for _ in range(count))


def _variant_player(rng: np.random.Generator, fits: np.ndarray) -> Person:
    habits = fits[rng.integers(len(fits))] if rng.random() < 0.5 else fits.mean(axis=0)
    for pull in rng.choice(len(PULLS), 2 if rng.random() < 0.5 else 1, replace=False):
        pulled = place_coefficients(PULLS[pull](rng.uniform), Variant.kind)
        habits = habits + rng.uniform(0.3, 1.3) * pulled
    slips = draw_slips(rng)
    return Person("drawn", rng.uniform(0.6, 1.2) * habits, slips)
