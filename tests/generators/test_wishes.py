"""One record of wishes: every door takes all of them, and made puzzles keep them."""

import dataclasses

import pytest

import nando
from nando.api.generate import WishOptions
from nando.books import Part
from nando.books.spec import spec_of
from nando.cli.making_options import WishOptions as CommandOptions
from nando.generators import Wishes
from nando.puzzles import Variant
from nando.records import name_in_files, plain, read_record
from nando.serve.contest import PuzzlePart
from nando.serve.library import GenerateRequest
from nando.solvers.logic import LogicSolver, standard_ladder

NAMES = {name_in_files(field) for field in dataclasses.fields(Wishes)}
LAYOUT = "4x4+killer:r1c1r2c1:3"
ASKED = {
    "kind": "variant", "minutes": 4.0, "tolerance": 0.2, "size": "4x4", "rule": "killer",
    "layout": LAYOUT, "symmetry": "mirror", "look": "newspaper", "givens": "0-4", "clues": 3,
    "cells": "2-5", "singles": 1,
    "needs": "pointing", "hardest": "naked pair", "without": "chains",
}  # fmt: skip


def test_every_door_takes_every_wish():
    shell = {option.name for option in CommandOptions().parameters()}
    assert {"minutes" if name == "target" else name for name in shell} == NAMES
    assert set(GenerateRequest.model_fields) == NAMES | {"count", "seed"}
    assert {"rule" if n == "rules" else n for n in WishOptions.__annotations__} == NAMES
    for record in (Part, PuzzlePart):
        assert {name_in_files(field) for field in dataclasses.fields(record)} > NAMES


def test_every_door_reads_the_same_wishes():
    wishes = read_record(Wishes, ASKED, noun="wishes")
    assert plain(wishes) == ASKED
    (part,) = spec_of({"parts": [ASKED]}).parts
    puzzle_part = read_record(PuzzlePart, ASKED, noun="puzzles")
    request = GenerateRequest(**ASKED).model_dump()
    for name in NAMES:
        field = "rules" if name == "rule" else name
        expected = getattr(wishes, field)
        assert getattr(part, field) == getattr(puzzle_part, field) == expected
        assert request[name] == ASKED.get(name, expected)
    in_python = Wishes(**{"rules" if n == "rule" else n: value for n, value in ASKED.items()})
    assert in_python == wishes == dataclasses.replace(wishes, rules=["killer"], size=4)
    assert dataclasses.replace(wishes, layout=Variant(LAYOUT)) == wishes


@pytest.mark.parametrize(
    ("kind", "options", "needs", "hardest"),
    [
        ("sudoku", {"symmetry": "rotational"}, "naked pair", "X-wing"),
        ("diagonals", {"size": 6}, "pointing", "naked pair"),
        ("nurikabe", {"size": "6x6"}, None, None),
    ],
)
def test_made_puzzles_need_their_techniques(kind, options, needs, hardest):
    names = [technique.name for technique in standard_ladder(Wishes(kind=kind).puzzle_kind)]
    needs, hardest = needs or names[-3], hardest or names[-2]
    record = nando.generate(kind=kind, needs=needs, hardest=hardest, seed=4, **options)
    ladder = standard_ladder(record.puzzle.kind)
    allowed = ladder[: names.index(hardest) + 1]
    now = LogicSolver(allowed).profile(record.puzzle)
    assert now.solved
    assert sum(n for name, n in now.uses.items() if needs.casefold() in name.casefold()) > 0
    others = tuple(t for t in allowed if needs.casefold() not in t.name.casefold())
    then = LogicSolver(others).profile(record.puzzle)
    assert not then.solved or then.rating > now.rating


def test_techniques_go_with_a_time():
    record = nando.generate(minutes=6, tolerance=0.2, without="x-wing,chains", hardest="x-wing")
    assert 4.8 * 60 <= record.predicted <= 7.2 * 60
    assert "X-wing" not in {t for t, n in LogicSolver().profile(record.puzzle).uses.items() if n}


@pytest.mark.parametrize(
    ("wishes", "kind", "message"),
    [
        ({"colour": "red"}, TypeError, "no option 'colour'"),
        ({"shape": (8, 6)}, TypeError, "did you mean 'size'"),
        ({"rules": []}, None, ""),
        ({"rules": ["killer", ""]}, ValueError, "rule names nothing"),
        ({"rules": 5}, TypeError, "rule must be text or a list, got 5"),
        ({"size": True}, TypeError, "size must be text such as 8x6, or a number"),
        ({"size": "6x7", "rules": "killer"}, ValueError, "as many rows as columns"),
        ({"pattern": "x" * 80}, ValueError, "pattern must have 81 cells, got 80"),
        (
            {"needs": "swordfish", "hardest": "x-wing"},
            ValueError,
            "needs swordfish contradicts",
        ),
        ({"without": "blub"}, ValueError, "no technique is called 'blub'"),
        ({"minutes": 5, "percentile": 50}, ValueError, "minutes and percentile contradict"),
        ({"kind": "killer", "rules": "arrow"}, ValueError, "both name rules"),
    ],
)
def test_bad_wishes_are_one_sentence(wishes, kind, message):
    if kind is None:
        assert nando.generate(**wishes).puzzle.kind == "sudoku"
        return
    with pytest.raises(kind, match=message):
        nando.generate(**wishes)


def test_a_score_of_ones_own_is_a_target():
    def many_ones(puzzles):
        return [float((puzzle.givens == 1).sum()) for puzzle in puzzles]

    target = nando.generators.Target.by(many_ones, 4, 6)
    record = nando.generate(target=target, seed=2)
    assert 4 <= (record.puzzle.givens == 1).sum() <= 6
    with pytest.raises(ValueError, match="target and a difficulty contradict"):
        nando.generate(target=target, minutes=5)
