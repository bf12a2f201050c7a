"""Steps in words and pictures: every technique has a sentence, and the sentences are true."""

import itertools
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from helpers.command import records, rows
from helpers.command import run as command
from helpers.samples.logic_patterns import ONLY_EXPLAINER, PUZZLES
from helpers.samples.walks import dug, marks_of, walk

from nando.drawing import colour, shapes
from nando.drawing.boards import position
from nando.drawing.svg import svg
from nando.puzzles import Sudoku
from nando.solvers import logic
from nando.solvers.logic import step_pattern
from nando.solvers.logic.chains.forcing import CONTRADICTION, DOUBLE
from nando.solvers.logic.chains.link_sets import CHAIN_X, CHAIN_XY, CYCLE_X

PAIR = PUZZLES["naked pair"].text
SEVERAL = "." * 81

EXPECTED = {
    "direct pointing": "in box 6, the 8 can only go in r6c8 or r6c9, which are in row 6, leaving "
    "only r5c3 for the 8 of box 4.",
    "X-wing": "X-wing on 7 in columns 2 and 9: in these two columns, the 7 can only go in rows "
    "1 and 4, so these columns contain the 7 of both rows: remove 7 from r1c8, r4c3 and r4c7.",
    "two strong links": "Skyscraper on 1 in columns 1 and 5: column 1 has its 1 in r2c1 or r8c1, "
    "column 5 in r8c5 or r3c5; r8c1 and r8c5 cannot both be 1 (row 8), so r2c1 or r3c5 is 1, and "
    "no cell that sees both can be 1: remove 1 from r2c6 and r3c2.",
    "XYZ-wing": "otherwise it is 7 itself. In any case, one of the three is 7, and no cell that "
    "sees all three can be 7: remove 7 from",
    "aligned pair exclusion": "if r9c2 is 7, r8c9 cannot be 3 (r8c1 needs one of the two), 4 "
    "(r9c8 needs one of the two) or 6 (r9c7 needs one of the two), which leaves no candidate: "
    "remove 7 from r9c2.",
}


@cache
def met():
    """Return every step of the puzzles with the pencil marks before it."""
    return list(steps_met())


def steps_met():
    for name, puzzle in PUZZLES.items():
        solver = logic.LogicSolver(
            logic.SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else logic.SUKAKU_EXPLAINER
        )
        marks = logic.PencilMarks.of(puzzle)
        for step in solver.steps(puzzle):
            yield name, step, marks
            marks = marks.after(step)


def first(name, variant=0):
    return next(
        (step, marks)
        for _, step, marks in met()
        if step.technique.name == name and step.variant == variant
    )


# Pencil marks


@pytest.mark.parametrize("name", ["VWXYZ-wing 6.4", "unique loop 5.0"])
def test_pencil_marks_are_those_of_the_solver(name):
    marks = logic.PencilMarks.of(PUZZLES[name])
    for state, step in walk(PUZZLES[name]):
        assert np.array_equal(marks.values, state.values)
        assert [set(marks.digits(cell)) for cell in range(81)] == marks_of(state).candidates
        before = marks
        marks = marks.after(step)
        assert not np.array_equal(before.candidates, marks.candidates)
    assert marks.n_blanks == 0


# Sentences


@pytest.mark.parametrize("name", EXPECTED)
def test_the_sentence_of_a_technique(name):
    step, marks = first(name)
    assert EXPECTED[name] in logic.describe(step, marks)


def test_every_technique_met_has_a_sentence_of_its_own():
    seen = {}
    for _, step, marks in met():
        text = logic.describe(step, marks)
        seen.setdefault((step.technique.name, step.variant), text)
        assert text.endswith(".")
        assert "  " not in text
        for cell, digit in step.eliminations:
            assert marks.puzzle.cell_name(cell) in text
            assert str(digit) in text
        if step.placement is not None:
            assert marks.puzzle.cell_name(step.placement[0]) in text
        for house in logic.record(step, marks)["houses"] if not step.links else ():
            kind, number = house.split()
            assert re.search(rf"{kind}s?( \d,?( and)?)* {number}\b", text), (house, text)
    techniques = {name for name, _ in seen}
    rare = {"direct claiming"}
    below_chains = {
        technique.name for technique in logic.SUKAKU_EXPLAINER if technique.rating < 6.5
    }
    assert below_chains - rare <= techniques
    for name in ("unique loop", "bivalue universal grave"):
        texts = {seen[name, variant].partition("type")[2][1:2] for variant in (1, 2, 3, 4)}
        assert texts == {"1", "2", "3", "4"}


def test_sentences_on_strong_links_are_true():
    n_groups = 0
    for _, step, marks in met():
        if "strong links" not in step.technique.name:
            continue
        (digit,) = step.digits
        ends = step_pattern.strong_link_ends(step, marks)
        for house, (near, far) in zip(step.houses, ends, strict=True):
            assert set(near) | set(far) == set(marks.places(house, digit))
            assert not set(near) & set(far)
            n_groups += len(near + far) > 2
        for (_, far), (near, _) in itertools.pairwise(ends):
            assert marks.houses_of(far + near)
        outer = ends[0][0] + ends[-1][1]
        for cell, _ in step.eliminations:
            sees = all(marks.sees(cell, end) for end in outer)
            assert sees or step_pattern.closes(ends, marks)
    assert n_groups > 5


def test_the_subset_of_a_unique_loop_has_as_many_cells_as_digits():
    kinds = set()
    for _, step, marks in met():
        if step.technique.name != "unique loop" or step.variant != 3:
            continue
        helpers = step_pattern.loop_subset(step, marks)
        kinds.add(step_pattern.is_naked_loop(step))
        assert helpers
        assert set(helpers) <= set(marks.house(step.houses[0]))
        if step_pattern.is_naked_loop(step):
            pair = set(marks.digits(step.cells[0]))
            extras = {d for cell in step.cells for d in marks.digits(cell)} - pair
            subset = {d for cell in helpers for d in marks.digits(cell)}
            assert extras <= subset
            assert len(subset) == len(helpers) + 1
        else:
            assert len(step.digits) == len(helpers) + 1
    assert kinds == {True, False}


def chain(name, variant, links, eliminations, houses=()):
    """Return a step with links between nodes from ``r1c1 4 -`` (off) to ``r1c9 4 +`` (on)."""

    def node(text):
        name, digit, sign = text.split()
        return (int(name[1]) - 1) * 9 + int(name[3]) - 1, int(digit), sign == "+"

    technique = next(t for t in logic.SUKAKU_EXPLAINER if t.name == name)
    nodes = tuple((*node(a), *node(b)) for a, b in links)
    cells = tuple(dict.fromkeys(link[0] for link in nodes))
    return logic.LogicStep(technique, 7.0, variant, houses, cells, (4,), None, eliminations, nodes)


EMPTY = logic.PencilMarks.of(Sudoku(SEVERAL))


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (
            chain(
                "chain",
                CHAIN_XY,
                [("r1c1 4 +", "r1c9 4 -"), ("r1c9 4 -", "r2c9 4 +"), ("r2c9 4 +", "r1c1 4 -")],
                ((0, 4),),
            ),
            "Forcing chain on 4 from r1c9 to r2c9: if r1c9 is not 4, then r2c9=4. So r1c9 or r2c9 "
            "is 4, and no cell that sees both can be 4: remove 4 from r1c1.",
        ),
        (
            chain(
                "chain",
                CHAIN_X,
                [("r1c1 4 -", "r1c9 4 +"), ("r1c9 4 +", "r5c9 4 -"), ("r5c9 4 -", "r1c1 4 +")],
                ((0, 5), (0, 6)),
            ),
            "X-chain from 4 in r1c1: if r1c1 is not 4, then r1c9=4, so r1c1 must be 4: "
            "remove 5 and 6 from r1c1.",
        ),
        (
            chain(
                "chain",
                CYCLE_X,
                [
                    ("r1c1 4 +", "r1c9 4 -"),
                    ("r1c9 4 -", "r5c9 4 +"),
                    ("r5c9 4 +", "r5c1 4 -"),
                    ("r5c1 4 -", "r1c1 4 +"),
                ],
                ((5, 4),),
            ),
            "X-cycle on 4 through r1c1, r1c9, r5c1 and r5c9: either r1c1 is 4 and r5c9 is 4, or "
            "r1c9 is 4 and r5c1 is 4; a candidate that both rule out is false: remove 4 from r1c6.",
        ),
        (
            chain(
                "nishio",
                CONTRADICTION,
                [("r1c1 4 +", "r2c7 4 +"), ("r1c1 4 +", "r2c2 4 +"), ("r2c2 4 +", "r2c7 4 -")],
                ((0, 4),),
            ),
            "Nishio from 4 in r1c1: if r1c1 is 4, then r2c2=4, but then r2c2 and r2c7 would both "
            "be 4: remove 4 from r1c1.",
        ),
        (
            chain(
                "dynamic forcing chains",
                DOUBLE,
                [("r1c1 4 +", "r2c2 5 +"), ("r1c1 4 -", "r1c5 4 +"), ("r1c5 4 +", "r2c2 5 +")],
                ((10, 6), (10, 7)),
            ),
            "Dynamic forcing chains from 4 in r1c1: if r1c1 is 4, then r2c2=5; if r1c1 is not 4, "
            "then r1c5=4, r2c2=5. Whether or not r1c1 is 4, r2c2 is 5: remove 6 and 7 from r2c2.",
        ),
    ],
)
def test_a_chain_is_explained_link_by_link(step, text):
    assert logic.describe(step, EMPTY).endswith(text)
    assert logic.hint(step, EMPTY, 1).startswith("Look for ")
    drawn = position(EMPTY, step)
    lines = [s for s in drawn.shapes if isinstance(s, shapes.Path) and s.curved]
    heads = [s for s in drawn.shapes if isinstance(s, shapes.Polygon)]
    links = step.links[1:-1] if step_pattern.path_of(step) else step.links
    assert len(lines) == len(heads) == len(links)
    # Solid where one of two is true, dashed where not both are.
    assert [line.dashed for line in lines] == [a or not b for *_, a, _, _, b in links]


def test_hints_give_away_more_and_more():
    for _, step, marks in met():
        where, what, whole = (logic.hint(step, marks, degree) for degree in (1, 2, 3))
        assert where.startswith("Look for ")
        assert whole == logic.describe(step, marks)
        assert len(where) < len(whole) or step.placement
        if step.placement is not None:
            cell, digit = step.placement
            name = marks.puzzle.cell_name(cell)
            assert name not in where
            assert f"{name} is {digit}" not in what
            assert f"can only go in {name}" not in what
        else:
            assert "remove" not in what
    with pytest.raises(ValueError, match="1, 2 or 3, got 4"):
        logic.hint(step, marks, 4)


@pytest.mark.parametrize(("order", "n_givens"), [(4, 110), (5, 330)])
def test_larger_orders_are_explained_with_letters(order, n_givens):
    puzzle = dug(order, n_givens, 2)
    marks = logic.PencilMarks.of(puzzle)
    texts = []
    for step in logic.LogicSolver().steps(puzzle):
        texts.append(logic.describe(step, marks))
        marks = marks.after(step)
    assert any(re.search(r"the [A-P] can only go in", text) for text in texts)
    ET.fromstring(svg(position(marks)))


# Drawings


def drawn_of(step, marks, degree=3):
    drawn = position(marks, step, degree)
    assert all(0 <= x <= drawn.width for x in xs(drawn.shapes))
    return drawn.shapes


def xs(drawn):
    for shape in drawn:
        points = shape.points if hasattr(shape, "points") else [(shape.x, shape.y)]
        yield from (coordinate for point in points for coordinate in point)


def test_a_drawing_shows_every_pencil_mark_and_strikes_those_that_go():
    for _, step, marks in met()[:: len(met()) // 60]:
        drawn = drawn_of(step, marks)
        texts = [s for s in drawn if isinstance(s, shapes.Text) and s.fill != shapes.GREY]
        struck = [s for s in texts if s.fill == colour.RED]
        lines = [s for s in drawn if isinstance(s, shapes.Path) and s.stroke == colour.RED]
        assert len(struck) == len(lines) == len(step.eliminations)
        pattern = step_pattern.pattern_of(step, marks)
        discs = [s for s in drawn if isinstance(s, shapes.Disc) and s.fill == colour.BLUE]
        placed = step.placement[0] if step.placement else -1
        assert len(discs) == len([c for c, _ in pattern.candidates if c != placed])
        frames = [s for s in drawn if isinstance(s, shapes.Rect) and s.stroke]
        assert len(frames) == (step.placement is not None)
        small = [s for s in drawn if isinstance(s, shapes.Text) and s.size < 0.3]
        shown = marks.candidates.sum() - (marks.candidates[placed].sum() if placed >= 0 else 0)
        assert len(small) == shown


def test_a_hint_is_not_given_away_by_its_drawing():
    for name in ("naked pair", "hidden single in box", "naked single", "XY-wing"):
        step, marks = first(name)
        for degree in (1, 2):
            drawn = drawn_of(step, marks, degree)
            assert not [s for s in drawn if getattr(s, "fill", None) in (colour.RED, colour.PLACED)]
        (tint,) = {s.fill for s in drawn_of(step, marks, 1) if isinstance(s, shapes.Rect)}
        assert tint == colour.BASE


# The command


def run(*arguments, stdin=None):
    return command("explain", *arguments, stdin=stdin)


def test_the_walk_of_a_puzzle():
    result = run(PAIR)
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines[0] == PAIR
    steps = [line for line in lines if re.match(r" *\d+\. ", line)]
    assert len(steps) == 56
    assert [int(line.partition(".")[0]) for line in steps] == list(range(1, 57))
    at = next(i for i, line in enumerate(lines) if "Naked pair" in line)
    assert lines[at - 1] == ""
    end = lines.index("SE rating 3.0 on the scale of Sukaku Explainer, 56 steps.")
    counts = {
        line[6:].rsplit(None, 1)[0].strip(): int(line.split()[0]) for line in lines[end + 1 :]
    }
    assert counts["full house"] == 21
    assert sum(counts.values()) == 56


def test_hints_and_steps():
    assert run(PAIR, "--hint", 1).stdout == "Look for a hidden single in box 4.\n"
    assert run(PAIR, "--hint", 2).stdout == "Hidden single: where can the 4 go in box 4?\n"
    assert run(PAIR, "--hint", 3).stdout == "Hidden single: in box 4, the 4 can only go in r5c1.\n"
    assert run(PAIR, "--step", 13).stdout.startswith("13. Naked pair 8 9 in")
    assert run(PAIR, "--step", 13, "--hint", 1).stdout == "Look for a naked pair in box 2.\n"


def test_a_puzzle_that_needs_more_says_so():
    singles = ",".join(technique.name for technique in logic.SUKAKU_EXPLAINER[:7])
    result = run("--only", singles, PAIR)
    assert result.exit_code == 0
    assert (
        f"Stuck after 12 steps, {PAIR.count('.') - 12} blanks left: no technique up to naked "
        "single applies; it needs chains, which this ladder does not have. The steps so far rate "
        "2.0."
    ) in result.stdout
    (row,) = rows("explain", "--only", singles, PAIR)
    assert (row["se_rating"], row["solved"], row["steps"]) == ("", "False", "12")
    walk = logic.walk_through(Sudoku(PAIR), logic.SUKAKU_EXPLAINER[:7])
    assert not walk.solved
    chains = replace(
        walk, ladder=[*logic.SUKAKU_EXPLAINER[:7], logic.Technique("forcing chain", 7.0, "", 99)]
    )
    assert "up to forcing chain applies; it needs longer or other" in chains.summary()


def test_a_batch_continues_after_bad_lines(tmp_path):
    lines = "\n".join([PAIR, SEVERAL, PAIR[:80], PUZZLES["X-wing"].text])
    result = run(stdin=lines)
    assert result.exit_code == 1
    assert result.stdout.count("SE rating") == 2
    assert "2 of 4 puzzles cannot be used" in result.stderr
    assert "line 2: several solutions" in result.stderr
    found = rows("explain", stdin=lines, exit_code=1)
    assert [row["se_rating"] for row in found] == ["3.0", "", "", "3.2"]
    assert [row["hardest_technique"] for row in found] == ["naked pair", "", "", "X-wing"]
    assert [row["error"] != "" for row in found] == [False, True, True, False]
    result = run("--sheet", "-o", tmp_path / "steps.html", stdin=lines)
    assert result.exit_code == 1
    assert (tmp_path / "steps.html").read_text().count("<section>") == 2
    result = run("-o", tmp_path / "steps.svg", stdin=lines)
    assert result.exit_code == 2
    assert "a picture shows one puzzle, got 2" in result.stderr
    assert not (tmp_path / "steps.svg").exists()
    result = run("-o", tmp_path / "steps.svg", stdin=SEVERAL)
    assert (result.exit_code, "nothing to draw" in result.stderr) == (2, True)


def test_json_holds_every_step(tmp_path):
    (row,) = records("explain", PAIR)
    assert len(row["steps"]) == 56
    pair = row["steps"][12]
    assert (pair["technique"], pair["family"]) == ("naked pair", "locked pair")
    assert (pair["houses"], pair["cells"], pair["digits"]) == (["box 2"], ["r2c6", "r3c6"], [8, 9])
    assert pair["eliminations"] == [["r2c4", 8], ["r2c4", 9], ["r3c4", 8], ["r3c4", 9]]
    assert row["steps"][0]["placement"] == ["r5c1", 4]
    run(PAIR, "-o", tmp_path / "s.jsonl", "--step", 13)
    (row,) = map(json.loads, (tmp_path / "s.jsonl").read_text().splitlines())
    assert [step["number"] for step in row["steps"]] == [13]


def test_pictures_in_files(tmp_path):
    page = tmp_path / "steps.html"
    assert run(PAIR, "--sheet", "-o", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<figure>") == text.count("<figcaption>") == 56
    assert "<script" not in text
    assert not re.findall(r"(?:src|href)=|url\(|@import", text)
    sheet = tmp_path / "steps.svg"
    for arguments, n_grids, n_captions in (
        ((), 56, 56),
        (("--step", 13), 1, 1),
        (("--step", 13, "--hint", 2), 1, 0),
    ):
        assert run(PAIR, "-o", sheet, *arguments).exit_code == 0
        root = ET.fromstring(sheet.read_text(encoding="utf-8"))
        groups = [group for group in root.iter() if group.tag.endswith("}g")]
        labels = [g for g in groups if g.get("font-size") == "0.3" and g.get("text-anchor")]
        captions = [g for g in groups if g.get("font-size") == "0.3" and not g.get("text-anchor")]
        assert (len(labels), len(captions)) == (n_grids, n_captions)


def test_png_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    result = run(PAIR, "-o", tmp_path / "step.png")
    assert result.exit_code == 2
    assert "pip install 'nando[plot]'" in result.stderr
    assert not list(tmp_path.iterdir())
