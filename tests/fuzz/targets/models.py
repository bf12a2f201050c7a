"""Readers of models: ratings, persons, fill orders, audits."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from fuzz.target import LINE, Target, refusal, text_of

from nando.games import Auditor, Population, load_auditor, load_fill_order
from nando.puzzles import Sudoku
from nando.rating import PersonModel, Rater, load_model


def _same_again(build: Callable[[str], Any], data: bytes, use: Callable[[Any], Any]) -> None:
    with refusal():
        found = build(text_of(data))
        use(found)
        text = found.to_json()
        assert build(text).to_json() == text


def _rate(model: Rater) -> None:
    table = np.ones((2, len(model.columns)))
    with np.errstate(all="ignore"):
        rated = model.rate_columns(table, [Sudoku(LINE)] * 2)
    assert len(rated) == 2


def model(data: bytes) -> None:
    _same_again(Rater.from_json, data, _rate)


def _predict(found: PersonModel) -> None:
    with np.errstate(all="ignore"):
        assert found.predict_interval(["0", "unknown"], [5.0, 6.0]).shape == (2, 2)


def persons(data: bytes) -> None:
    with np.errstate(all="ignore"):
        _same_again(PersonModel.from_json, data, _predict)


def orders(data: bytes) -> None:
    _same_again(Population.from_json, data, lambda found: found.model_id)


def auditor(data: bytes) -> None:
    _same_again(Auditor.from_json, data, lambda found: found.model_id)


def _small_model() -> str:
    model = load_model()
    model.provenance_ = {}
    return model.to_json()


def _small_persons() -> str:
    games = {"puzzle": ["a", "b", "a"], "player": [0, 0, 1], "seconds": [200, 300, 400]}
    return PersonModel().fit(games, {"a": 5.5, "b": 6.0}).to_json()


def _small_auditor() -> str:
    record = json.loads(load_auditor().to_json())
    record["order"]["persons"] = record["order"]["persons"][:3]
    return json.dumps(record | {"provenance": {}})


TARGETS = (
    Target(model, lambda: [_small_model()], is_json=True),
    Target(persons, lambda: [_small_persons()], is_json=True),
    Target(orders, lambda: [load_fill_order(kind="nurikabe").to_json()], is_json=True),
    Target(auditor, lambda: [_small_auditor()], is_json=True),
)
