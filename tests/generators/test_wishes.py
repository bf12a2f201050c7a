"""One record of wishes: every door takes all of them, and made puzzles keep them."""

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest
from helpers.oracles import logic as oracle

import nando
from nando.api.generate import WishOptions
from nando.books import Part
from nando.books.spec import spec_of
from nando.cli.making import WishOptions as CommandOptions
from nando.generators import Known, OutOfReachError, Wishes, technique_source
from nando.making import Maker
from nando.puzzles import Sudoku, Variant
from nando.records import name_in_files, plain, read_record
from nando.serve.contest import PuzzlePart
from nando.serve.library import GenerateRequest
from nando.solvers import count_solutions
from nando.solvers.logic import LogicSolver, read_order, standard_ladder
from nando.solvers.logic.orders.order import families_of

NAMES = {name_in_files(field) for field in dataclasses.fields(Wishes)}
LAYOUT = "4x4+killer:r1c1r2c1:3"
ASKED = {
    "kind": "variant", "minutes": 4.0, "tolerance": 0.2, "size": "4x4", "rule": "killer,digits:0-4",
    "layout": LAYOUT, "symmetry": "mirror", "look": "newspaper", "givens": "0-4", "clues": 3,
    "cells": "2-5", "singles": 1,
    "needs": "pointing", "uses": "naked single", "hardest": "naked pair", "without": "chains",
    "se": "1.7-3",
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
    assert GenerateRequest(order="4").order == 4
    assert read_record(Wishes, ASKED | {"tolerance": "20%"}, noun="wishes") == wishes
    for name in NAMES:
        field = "rules" if name == "rule" else name
        expected = getattr(wishes, field)
        assert getattr(part, field) == getattr(puzzle_part, field) == expected
        assert request[name] == ASKED.get(name, expected)
    in_python = Wishes(**{"rules" if n == "rule" else n: value for n, value in ASKED.items()})
    assert (
        in_python == wishes == dataclasses.replace(wishes, rules=["killer", "digits:0-4"], size=4)
    )
    assert dataclasses.replace(wishes, layout=Variant(LAYOUT)) == wishes


EASIEST_FIRST = {
    "locked": lambda m: oracle.locked(m, m.boxes, m.lines) | oracle.locked(m, m.lines, m.boxes),
    "direct hidden pair": lambda m: oracle.direct(m, 2),
    "direct hidden triplet": lambda m: oracle.direct(m, 3),
    "naked pair": lambda m: oracle.naked_subsets(m, 2),
    "X-Wing": lambda m: oracle.fish(m, 2),
    "hidden pair": lambda m: oracle.hidden_subsets(m, 2),
    "Naked Triple": lambda m: oracle.naked_subsets(m, 3),
    "swordfish": lambda m: oracle.fish(m, 3),
}
"""Definitions up to 3.8 by names of several programs; no other technique is as easy."""


@pytest.mark.parametrize("needs", [*EASIEST_FIRST][3:])
def test_the_naive_solver_needs_the_technique(needs):
    place = [*EASIEST_FIRST].index(needs)
    easier = [*EASIEST_FIRST.values()][:place]
    givens = nando.generate(needs=needs, seed=5, symmetry="rotational").puzzle.givens.tolist()
    assert oracle.blanks_left(givens, easier) > 0
    assert oracle.blanks_left(givens, [*easier, EASIEST_FIRST[needs]]) == 0


@pytest.mark.parametrize("without", ["X-wing", "naked"])
def test_the_naive_solver_does_without_the_technique(without):
    allowed = [
        find for name, find in EASIEST_FIRST.items() if without.casefold() not in name.casefold()
    ]
    for record in nando.generate(hardest="swordfish", without=without, count=2, seed=1):
        assert oracle.blanks_left(record.puzzle.givens.tolist(), allowed) == 0


@pytest.mark.parametrize(
    ("kind", "options", "needs", "hardest"),
    [
        ("sudoku", {"minimal": True}, "naked pair", "X-wing"),
        ("sudoku", {"givens": 27}, "XY-wing", "XYZ-wing"),
        ("diagonals", {"size": 6, "seed": 3}, "pointing", "naked pair"),
        ("killer", {"size": 6}, "innie or outie", "larger sum"),
        ("nurikabe", {"size": "6x6"}, "river bottleneck", "island bottleneck"),
        ("nurikabe", {"size": "6x6"}, "what-if near by", None),
    ],
)
def test_made_puzzles_need_their_techniques(kind, options, needs, hardest):
    names = [technique.name for technique in standard_ladder(Wishes(kind=kind).puzzle_kind)]
    options = {"seed": 4} | options
    record = nando.generate(kind=kind, needs=needs, hardest=hardest, **options)
    ladder = standard_ladder(record.puzzle.kind)
    allowed = ladder[: names.index(hardest) + 1] if hardest else ladder
    now = LogicSolver(allowed).profile(record.puzzle)
    assert now.solved
    assert sum(n for name, n in now.uses.items() if needs in name) > 0
    others = tuple(t for t in allowed if needs not in t.name)
    then = LogicSolver(others).profile(record.puzzle)
    assert not then.solved or then.rating > now.rating


@pytest.mark.parametrize("needs", ["W-wing", "skyscraper", "Uniqueness Test 1"])
@pytest.mark.parametrize("order", ["hodoku", None])
def test_families_are_needed_in_their_order(needs, order):
    record = nando.generate(needs=needs, order=order, seed=5)
    walk = nando.explain(record.puzzle, order=order)
    assert walk.solved
    if order:
        ladder, (family, *_) = read_order(order).ladder, families_of(needs)
        names = [rung.name for rung in ladder]
        used = [
            taken.family if taken.family in names else taken.step.technique.name
            for taken in walk.steps
        ]
        assert family in used
        last = max(map(names.index, used))
        others = tuple(rung for rung in ladder[: last + 1] if not rung.name.startswith(family))
        assert not LogicSolver(others).profile(record.puzzle).solved


@pytest.mark.parametrize(
    ("options", "low", "high"),
    [({"se": "4.0-4.5"}, 4.0, 4.5), ({"se": 7.2, "without": "XY-wing"}, 7.2, 7.2)],
)
def test_ratings_are_in_the_range(options, low, high):
    for record in nando.generate(count=2, seed=2, **options):
        assert low <= LogicSolver().profile(record.puzzle).rating <= high


def test_the_walk_uses_techniques():
    record = nando.generate(uses=["X-wing", "XY-wing"], seed=1)
    uses = LogicSolver().profile(record.puzzle).uses
    assert uses["X-wing"]
    assert uses["XY-wing"]


def test_no_number_of_cores_changes_puzzles_made_to_techniques():
    made = [
        [
            r.puzzle.text
            for r in nando.generate(needs="X-wing", count=3, seed=6, n_jobs=n, **options)
        ]
        for n in (1, 2)
        for options in ({}, {"minutes": 12, "tolerance": 0.3})
    ]
    assert made[:2] == made[2:]
    assert made[0][:2] == [r.puzzle.text for r in nando.generate(needs="X-wing", count=2, seed=6)]


def test_a_book_has_a_part_for_each_technique_the_easiest_first():
    page = (Path(__file__).parents[2] / "docs" / "howto" / "book.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n([^`]*each = [^`]*)```", page)
    assert len(text.splitlines()) <= 12
    table = tomllib.loads(text)
    names = ["naked pair", "X-wing", "swordfish", "XY-wing", "unique rectangle"]
    assert [part.needs for part in spec_of(table).parts] == names
    for part in spec_of({**table, "language": "de"}).parts:
        (record,) = Maker(None, 1).make(part, range(1), Known())
        uses = LogicSolver().profile(record.puzzle).uses
        hardest = [name for name, n in uses.items() if n][-1]
        assert hardest == {"unique rectangle": "unique loop"}.get(part.needs, part.needs)
        assert part.title == {"naked pair": "Nacktes Paar"}.get(part.needs, part.title)
    with pytest.raises(ValueError, match="each names what a part needs"):
        spec_of({"parts": [{"each": ["X-wing"], "needs": "swordfish"}]})


def test_what_came_nearest_is_told():
    with pytest.raises(OutOfReachError, match=r"none of 64 grids .* nearest has a rating of [34]"):
        [*generate_to({"se": 4.15}, 64)]
    with pytest.raises(OutOfReachError, match="the nearest has no hidden quad; ask for other"):
        [*generate_to({"needs": "hidden quad", "hardest": "hidden quad"}, 24)]
    hardest = r"nearest has a rating of ([89]\.\d); ask for another rating"
    with pytest.raises(OutOfReachError, match=rf"64 grids .* {hardest}"):
        [*generate_to({"se": "12.5-13"}, 64)]
    batch = nando.generate_batch(2, se=4.15, most=16)
    assert (len(batch.records), batch.ended) == (0, "tried")


def test_the_hardest_of_a_draw_is_made_harder_until_it_has_the_rating():
    for record in nando.generate(se="9-10", count=3, seed=1):
        assert 9 <= LogicSolver().profile(record.puzzle).rating <= 10


def test_the_hardest_ratings_are_found_near_published_puzzles():
    (record,) = nando.generate(se="9.5-10.5", count=1, seed=0, minimal=True)
    published = {Sudoku(text).equivalence_key for text in technique_source._HARD}
    assert count_solutions(record.puzzle, limit=2) == 1
    assert record.puzzle.equivalence_key not in published
    assert 9.5 <= LogicSolver().profile(record.puzzle).rating <= 10.5
    assert nando.generate(se="9.5-10.5", seed=0, minimal=True).puzzle == record.puzzle


def generate_to(wishes, most):
    return Maker(None, 0).make(Wishes(**wishes), range(1), Known(), most)


def test_techniques_go_with_a_time():
    record = nando.generate(minutes=6, tolerance=0.2, without="x-wing,chains", hardest="x-wing")
    assert 4.8 * 60 <= record.predicted <= 7.2 * 60
    assert "X-wing" not in {t for t, n in LogicSolver().profile(record.puzzle).uses.items() if n}


def test_no_rules_make_a_sudoku():
    assert nando.generate(rules=[]).puzzle.kind == "sudoku"


def test_a_score_of_ones_own_is_a_target():
    def many_ones(puzzles):
        return [float((puzzle.givens == 1).sum()) for puzzle in puzzles]

    target = nando.generators.Target.by(many_ones, 4, 6)
    record = nando.generate(target=target, seed=2)
    assert 4 <= (record.puzzle.givens == 1).sum() <= 6
    with pytest.raises(ValueError, match="target and a difficulty contradict"):
        nando.generate(target=target, minutes=5)


def test_a_variant_whose_first_steps_remove_candidates_has_a_cell_to_begin_with():
    puzzle = Variant("..3........1......6...........54....+diagonals")
    taken = [step.placement for step in LogicSolver().steps(puzzle)]
    assert taken[0] is None
    (record,) = Maker(nando.load_model(kind="variant"), 0).describe([puzzle], 0)
    assert record.first_cell == next(filter(None, taken))[0]
