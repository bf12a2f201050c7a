"""Variants in the formats of other programs: written, read back, and refused by name."""

import json
import re
from contextlib import suppress
from itertools import filterfalse
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from helpers.samples.variant_samples import SAMPLES as TEXTS
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import (
    FaultKind,
    Nurikabe,
    PuzzleError,
    Sudoku,
    Variant,
    format_puzzle,
    kind_of_text,
    read_puzzle,
    read_puzzles,
)
from nando.puzzles.formats.programs.lz import pack
from nando.puzzles.formats.registry import FORMATS


def on_nine(name):
    """Return the samples of a rule that have a meaning on 9x9, written for that size."""
    found = []
    for text in (*TEXTS[name].split(), *MORE.get(name, ())):
        rule = re.sub(r"^\dx\d\+(no-boxes\+)?", "", text)
        with suppress(PuzzleError):
            Variant(f"9x9+{rule}")
            found.append(rule)
    return found


MORE = {
    "regions": ["regions:" + "111222333" * 3 + "444555666" * 3 + "778888999777888999777788999"],
    "boxes": ["boxes:1:9"],
    "diagonals": ["diagonals:falling"],
    "frame-sum": ["frame-sum:top2:15"],
    "little-killer": ["little-killer:r1c3r2c2r3c1:12", "little-killer:r4c1r3c2r2c3r1c4:20"],
    "kropki": ["kropki:all-given", "kropki:r1c1r1c2:r2c1r3c1"],
    "whispers": ["whispers:r1c1r1c2r2c2"],
    "xv": ["xv:r1c1r1c2:r2c1r3c1", "xv:r1c1r1c2:all-given"],
    "difference": ["difference:r5c5r5c6:3", "difference:r5c5r5c6:all-given"],
    "indexing": ["indexing:r1c3:top"],
    "modular": ["modular:r1c1r2c2r3c3r2c3r2c2"],
}
SAMPLES = {name: on_nine(name) for name in TEXTS}
"""Samples of every rule on 9x9."""
LACKED = re.compile(
    "non-consecutive:cyclic|killer.*repeats|lockout.*:2|.*indexing.*(right|bottom)"
    "|entropic:r1c1r1c2r1c3r2c4|region-sum:r1c2r1c3r2c3r2c2r1c2|little-killer:r1c2r2c3r3c4:7"
)
"""Forms of rules that some program lacks which has the rule."""

OWN = {
    *("sum-line", "anti-taxicab", "global-modular", "rellik", "lunchbox", "full-rank"),
}
"""Rules that only nando's own text and JSON hold."""

EXACT = {
    "f-puzzles": set(SAMPLES)
    - OWN
    - {"global-entropy", "equal-sums", "look-and-say", "counting-circles"}
    - {"greater", "parity", "frame-sum", "numbered-room", "low", "high", "consecutive", "boxes"},
    "sudokupad": {
        *("regions", "diagonals", "extra-region", "anti-knight", "anti-king", "killer"),
        *("little-killer", "sandwich", "quadruple", "arrow", "palindrome", "between"),
        *("odd", "even"),
    },
    "pencilmark": set(SAMPLES)
    - OWN
    - {"nabner", "box-indexing", "modular"}
    - {"numbered-room", "minimum", "maximum", "indexing", "frame-sum", "low", "high", "consecutive"}
    - {"kropki"},
    "lisudoku": {
        *("regions", "diagonals", "extra-region", "anti-knight", "anti-king", "killer"),
        *("arrow", "palindrome", "renban", "odd", "even"),
    },
    "sumocue": {"regions"},
    "ipuz": {"regions"},
}
EXACT |= {f"{name}-json": EXACT[name] for name in ("f-puzzles", "sudokupad", "lisudoku")}
"""Rules whose every sample a format holds and gives back as it was."""


def sample(name):
    """Return the JSON of a puzzle as a program exports it."""
    return json.loads((Path(__file__).parent / "samples" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [*EXACT, "killer", "cages"])
def test_what_a_format_cannot_hold_is_refused(name):
    """A format either keeps the meaning of a rule or refuses it."""
    refused = set()
    for rule, samples in SAMPLES.items():
        for sample in samples:
            puzzle = Variant(f"9x9+{sample}")
            try:
                text = format_puzzle(puzzle, name)
            except ValueError as error:
                assert "hold" in str(error)  # noqa: PT017
                refused |= set() if LACKED.match(sample) else {rule}
                continue
            back = read_puzzle(text, Variant)
            assert kind_of_text(text) == "variant"
            assert back == puzzle if rule in EXACT.get(name, ()) else back.board == puzzle.board
            assert len({c for _, c in back.constraints}) == len({c for _, c in puzzle.constraints})
    assert refused.isdisjoint(EXACT.get(name, ()))
    assert refused


@st.composite
def variants(draw, names):
    """Draw variants with some rules of these names, transformed and relabelled."""
    chosen = draw(st.lists(st.sampled_from(sorted(names)), max_size=4, unique=True))
    if "boxes" in chosen and "regions" in chosen:
        chosen.remove("boxes")
    if "frame-sum" in chosen and {"boxes", "regions"} & set(chosen):
        chosen.remove("frame-sum")  # its total is one of three cells
    rules = [draw(st.sampled_from(SAMPLES[name])) for name in chosen]
    digits = draw(st.lists(st.sampled_from("......123456789"), min_size=81, max_size=81))
    puzzle = Variant("+".join(["".join(digits), *rules]))
    return puzzle.shuffled(np.random.default_rng(draw(st.integers(0, 100))))


@pytest.mark.parametrize("name", ["f-puzzles-json", "sudokupad-json", "pencilmark", "lisudoku"])
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_rules_together_are_read_back_or_refused(name, data):
    puzzle = data.draw(variants(EXACT[name]))
    try:
        text = format_puzzle(puzzle, name)
    except ValueError as error:
        assert "together" in str(error) or "cannot hold" in str(error)  # noqa: PT017
        return
    back = read_puzzle(text, Variant)
    assert back.givens.tolist() == puzzle.givens.tolist()
    ours, theirs = ({rule.name for rule in each.rules} for each in (puzzle, back))
    if name == "pencilmark" and "disjoint-groups" in ours:
        ours.discard("centre-dot")  # one of the groups, which a list of houses cannot tell apart
    assert theirs == ours


def test_rules_that_would_be_read_as_an_unknown_rule_are_refused():
    rules = "kropki:r9c8r9c9:r7c9r8c9:all-given+difference:r5c4r5c5:3"
    with pytest.raises(ValueError, match="f-puzzles-json cannot hold these rules together"):
        format_puzzle(Variant(f"9x9+{rules}"), "f-puzzles-json")


@pytest.mark.parametrize("name", ["line", "grid", "json", "csv"])
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_own_formats_hold_every_rule(name, data):
    puzzle = data.draw(variants(SAMPLES))
    text = format_puzzle(puzzle, name)
    assert read_puzzle(text, Variant) == puzzle
    assert [entry.puzzle for entry in read_puzzles(text.encode(), Variant)] == [puzzle]


def test_sizes_and_grids():
    for text in ("4x4", "6x6+diagonals", "12x12+no-boxes", "25x25+diagonals", "9x9+samurai"):
        puzzle = Variant(text)
        for name in ("line", "grid", "json", "pencilmark"):
            assert read_puzzle(format_puzzle(puzzle, name), Variant) == puzzle, name
    with pytest.raises(ValueError, match="f-puzzles holds one grid; this has 5"):
        format_puzzle("9x9+samurai", "f-puzzles")
    for name in ("f-puzzles", "sudokupad", "lisudoku"):
        small = Variant("4x4+killer:r1c1r1c2:3")
        assert read_puzzle(format_puzzle(small, name)) == small


# Samples of each format


F_PUZZLES = sample("f-puzzles.json")


def test_f_puzzles():
    value = json.loads(json.dumps(F_PUZZLES))
    value["grid"][0][3] = {"value": 5, "given": True}
    value["grid"][1][3] = {"value": 4}
    value["grid"][2][2] = {"givenPencilMarks": [1, 2]}
    puzzle = read_puzzle(f"https://f-puzzles.com/?load={quote(pack(json.dumps(value)), safe='')}")
    assert puzzle.givens.nonzero()[0].tolist() == [3]
    assert [rule.to_text() for rule in puzzle.rules[1:]] == [
        "diagonals:falling",
        "killer:r6c1r6c2:8",
        "killer:r6c5r6c6",
        "little-killer:r1c2r2c1:5",
        "sandwich:left3:7",
        "kropki:r1c1r1c2:r2c1r3c1:all-given",
        "xv:v=r4c4r4c5:all-given",
        "quadruple:r2c4r2c5r3c4r3c5:1-6",
        "thermometer:r5c5r4c6",
        "thermometer:r5c5r5c6",
        "arrow:r1c5r1c6:r2c6r3c6",
        "whispers:r2c2r3c3:3",
        "odd:r1c4",
        "clone:r1c1:r2c3",
        "clone:r1c1:r4c2",
        "candidates:r3c3:1-2",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"antirook": [{}], "spiral": [{}]}, "it has antirook, spiral, which nando does not read"),
        ({"negative": ["quadruple"]}, "a negative constraint on 'quadruple'"),
        ({"xv": [{"cells": ["R1C1", "R1C2"], "value": "L"}]}, "a mark 'L' between cells"),
        ({"killercage": [{"cells": ["R1C1"], "value": "<9"}]}, "a cage with '<9'"),
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "99"}]}, "the sum 99 of killer"),
        ({"killercage": [{"cells": ["R1C7"]}]}, "killer r1c7 lies outside the board: r1c7"),
        ({"killercage": 5}, "'killercage' of f-puzzles is damaged"),
        ({"thermometer": [{"lines": [["A1", "R1C2"]]}]}, "damaged .*'A1' is no cell"),
        ({"antiknight": 1}, "'antiknight' of f-puzzles is damaged"),
        ({"sandwichsum": [{"cell": "R0C3"}]}, "a sandwich without its number"),
        ({"sandwichsum": [{"cell": "R3C3", "value": "2"}]}, "r3c3 is not next to the grid"),
        ({"arrow": [{"cells": ["R1C1"], "lines": []}]}, "a circle without an arrow"),
        ({"circle": [{"cells": ["R1C1"]}]}, "it has circle"),
        ({"difference": [{"cells": ["R1C1", "R1C2"], "value": "3"}]}, "other dots than white"),
        ({"odd": [{"cell": "R9C9"}]}, "odd r9c9.* lies outside the board"),
    ],
)
def test_f_puzzles_refuses_what_it_does_not_know(change, message):
    with pytest.raises(PuzzleError, match=message):
        read_puzzle(json.dumps(F_PUZZLES | change))


@pytest.mark.parametrize(
    ("marks", "rules"),
    [
        ({"columnindexer": [{"cells": ["R1C1", "R2C1"]}]}, "indexing:r1c1r2c1"),
        ({"rowindexer": [{"cells": ["R1C3"]}]}, "indexing:r1c3:top"),
        (
            {"negative": ["ratio"], "difference": [["R1C1", "R1C2"]], "ratio": [["R2C1", "R2C2"]]},
            "kropki:r1c1r1c2:r2c1r2c2:all-black",
        ),
        (
            {"nonconsecutive": True, "ratio": [["R2C1", "R2C2"]]},
            "kropki:black=r2c1r2c2:all-white",
        ),
    ],
)
def test_indexing_and_dots_of_one_colour(marks, rules):
    grid = [[{} for _ in range(6)] for _ in range(6)]
    for key in ("difference", "ratio"):
        marks |= {key: [{"cells": pair} for pair in marks.get(key, [])]}
    value = {"size": 6, "grid": grid} | marks
    puzzle = read_puzzle(json.dumps(value))
    assert puzzle == Variant(f"6x6+{rules}")
    assert read_puzzle(format_puzzle(puzzle, "f-puzzles")) == puzzle


def test_irregular_regions_of_f_puzzles():
    value = {
        "size": 4,
        "grid": [[{"region": int(r)} for r in row] for row in ["0001", "0211", "2231", "2333"]],
    }
    assert read_puzzle(json.dumps(value)) == Variant("4x4+regions:1112132233423444")
    value["grid"][0][0]["region"] = None
    with pytest.raises(PuzzleError, match="cells without a region"):
        read_puzzle(json.dumps(value))


SUMOCUE = (
    "SumoCueV1=0J0=8J0=0J0=0J1=0J2=0J2=0J2=5J2=0J2=8J3=0J0=0J1=0J1=0J2=7J2=0J4=0J4=5J4=0J3=0J0"
    "=0J1=0J1=9J2=0J2=0J5=0J6=0J4=0J3=7J0=0J1=1J1=6J5=9J5=0J5=0J6=0J4=0J3=0J0=4J1=3J1=0J5=1J7"
    "=8J7=0J6=0J4=0J3=0J0=0J5=8J5=7J5=6J7=0J7=3J6=0J4=0J3=0J0=0J5=0J8=5J8=0J7=0J7=0J6=0J4=3J3"
    "=0J3=0J3=6J8=0J8=0J7=0J7=0J6=2J4=0J8=9J8=0J8=0J8=0J8=0J7=0J6=8J6=0J6"
)


def test_sumocue():
    puzzle = read_puzzle(SUMOCUE)
    assert puzzle.text.startswith(".8.....5.8....7..5....9.....7.169..")
    assert puzzle.text.endswith("+regions:" + puzzle.rules[0].to_text().partition(":")[2])
    assert format_puzzle(puzzle, "sumocue") == SUMOCUE
    assert [e.puzzle for e in read_puzzles(f"{SUMOCUE}\n{SUMOCUE}".encode(), "variant")] == [
        puzzle,
        puzzle,
    ]
    with pytest.raises(PuzzleError, match="SumoCue with 80 cells; wanted 81"):
        read_puzzle(SUMOCUE[:-4])
    with pytest.raises(PuzzleError, match="a cell of SumoCue is '=', the given, 'J'"):
        read_puzzle(SUMOCUE.replace("=8J", "=8K", 1))
    with pytest.raises(PuzzleError, match="has 8 cells, wanted 9"):
        read_puzzle(SUMOCUE.replace("J1", "J2", 1))


KILLER = (
    "3x3::k:3595:3595:3844:3844:3090:3336:3336:2575:2575:3595:4620:4620:3348:3090:5:5648:5648:"
    "2575:3350:4620:4620:3348:3090:23:5648:5648:3841:3350:2581:24:3348:25:26:27:2579:3841:28:"
    "2581:29:30:4625:4625:4625:2579:31:3843:2581:32:33:34:35:36:2579:3335:3843:4878:4878:37:38:"
    "39:4618:4618:3335:3341:4878:4878:40:41:42:4618:4618:3593:3341:3341:3334:3334:43:3842:3842:"
    "3593:3593:"
)
KILLER_SOLVED = "279648531581739426463251798956483217128975643734162859812597364697324185345816972"


def test_killers_as_numbers():
    puzzle = read_puzzle(KILLER)
    assert len(puzzle.rules) == 22
    assert puzzle.is_solution(puzzle.solution_values(KILLER_SOLVED))
    assert read_puzzle(format_puzzle(puzzle, "killer")) == puzzle
    assert read_puzzle(format_puzzle(puzzle, "cages")) == puzzle
    assert read_puzzle(KILLER.replace("3x3::", "3x3:d:")).text.startswith("9x9+diagonals+killer")
    with pytest.raises(PuzzleError, match="unknown letter 'q' in 3x3:q:k:"):
        read_puzzle(KILLER.replace("3x3::", "3x3:q:"))
    with pytest.raises(PuzzleError, match="with 80 numbers; wanted 81"):
        read_puzzle(KILLER.removesuffix("3593:"))
    with pytest.raises(PuzzleError, match="two cages of 3x3::k: have the same number"):
        read_puzzle(KILLER.replace("3595", "3851", 1))
    with pytest.raises(ValueError, match="killer cannot hold cages that overlap, as at r1c2"):
        format_puzzle("9x9+killer:r1c1r1c2:7+killer:r1c2r1c3:7", "killer")


def test_cages_as_letters():
    puzzle = Variant(
        "4x4+killer:r1c1r1c2:3+killer:r1c3r1c4r2c3r2c4:10+killer:r2c1r2c2r3c2:6"
        "+killer:r3c3r3c4r4c3r4c4:10"
    )
    for text in (
        "aabb\nccbb\n.cdd\n..dd\na=3 b=10\nc:6\nd=10\n",
        "aabbccbb.cdd..dd a=3,b=10,c=6,d=10",
        "a a b b\nc c b b\n. c d d\n. . d d\n\n".rstrip() + "\na = 3, b = 10, c = 6, d = 10",
    ):
        assert read_puzzle(text) == puzzle, text
    assert read_puzzle(format_puzzle(puzzle, "cages")) == puzzle
    with pytest.raises(PuzzleError, match="the cage 'd' has cells, but no sum"):
        read_puzzle("aabbccbb.cdd..dd a=3,b=10,c=6", "variant")
    with pytest.raises(PuzzleError, match="two sums for the cage 'a'"):
        read_puzzle("aabbccbb.cdd..dd a=3,b=10,c=6,a=10", "variant")
    with pytest.raises(PuzzleError, match="17 letters of cages"):
        read_puzzle("aabbccbb.cdd..dda a=3,b=10,c=6,d=10", "variant")


def cell(row, column):
    return {"row": row, "col": column}


def test_lisudoku():
    value = {
        "gridSize": 4,
        "fixedNumbers": [{"position": cell(0, 1), "value": 2}],
        "thermos": [[cell(0, 0), cell(1, 0)]],
        "arrows": [{"circleCells": [cell(3, 3)], "arrowCells": [cell(2, 3), cell(2, 2)]}],
        "primaryDiagonal": True,
        "killer_cages": [{"sum": 5, "region": [cell(1, 2), cell(1, 3)]}],
        "kropkiDots": [{"dotType": "Double", "cell1": cell(2, 0), "cell2": cell(2, 1)}],
        "kropkiNegative": True,
        "topBottom": False,
        "antiKing": False,
        "evenCells": [],
    }
    puzzle = Variant(
        ".2..............+diagonals:falling+killer:r2c3r2c4:5+kropki:black=r3c1r3c2:all-given"
        "+thermometer:r1c1r2c1+arrow:r4c4:r3c4r3c3"
    )
    assert read_puzzle(json.dumps(value)) == puzzle
    assert read_puzzle(f"https://lisudoku.xyz/e?import={quote(pack(json.dumps(value)))}") == puzzle
    with pytest.raises(PuzzleError, match="it has topBottom, which nando does not read"):
        read_puzzle(json.dumps(value | {"topBottom": True}))
    with pytest.raises(PuzzleError, match="'grid' of lisudoku is damaged"):
        read_puzzle(json.dumps(value | {"fixedNumbers": [{"position": cell(0, 9), "value": 2}]}))
    with pytest.raises(PuzzleError, match=r"thermometer .* lies outside the board"):
        read_puzzle(json.dumps(value | {"thermos": [[cell(0, 0), cell(-1, 0)]]}))
    with pytest.raises(PuzzleError, match="its JSON has no 'gridSize'"):
        read_puzzle(f"https://lisudoku.xyz/e?import={quote(pack('[1]'))}")


PENCILMARK = sample("pencilmark.json")


def test_pencilmark():
    puzzle = read_puzzle(json.dumps(PENCILMARK))
    assert puzzle == Variant(
        "1...............+diagonals:falling+killer:r4c1r4c2:5+skyscraper:top1:2"
        "+kropki:r1c3r1c4:all-given+greater:r2c4r2c3+thermometer:r3c1r2c1"
        "+candidates:r2c2:1-3+candidates:r3c4:1-2"
    )
    assert read_puzzle(format_puzzle(puzzle, "pencilmark")) == puzzle
    classic = read_puzzle(format_puzzle(Sudoku("1" + "." * 80), "pencilmark"))
    assert classic == Sudoku("1" + "." * 80)


def rule(**record):
    return {"rules": [*PENCILMARK["rules"], record]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format_version": 2}, "sudoku-puzzle of version 2; wanted 1"),
        ({"puzzle": 2}, "the unknown key 'puzzle'"),
        (rule(type="rossini", arrow="in"), "it has rossini, which nando does not read"),
        (rule(type="line", kind="snake", cells=["r1c1", "r1c2"]), "it has snake line"),
        (rule(type="cage", cells=["r1c1"], colour=3), "it has cage with 'colour'"),
        (rule(type="cage", cells=["r1c9"]), "lies outside the board"),
        (rule(type="negative", of="sum", value=4), "it has negative sum"),
        (rule(type="edge", kind="product", value=4, cells=["r1c1", "r1c2"]), "it has product"),
        (rule(type="row", cells=["r1c1", "r2c1"]), "a row of its own"),
        ({"rules": []}, "a board without a grid"),
        ({"givens": [0] * 15}, "15 givens for 4 rows of 4"),
        ({"givens": [None] * 16}, "cells outside its grids"),
        (rule(type="cage"), "'cage' of pencilmark is damaged"),
    ],
)
def test_pencilmark_refuses_what_it_does_not_know(change, message):
    with pytest.raises(PuzzleError, match=message):
        read_puzzle(json.dumps(PENCILMARK | change), "variant")


def test_pencilmark_reads_what_is_written():
    exchange = pytest.importorskip("pencilmark.exchange")
    for name in EXACT["pencilmark"]:
        for sample in filterfalse(LACKED.match, SAMPLES[name]):
            exchange.validate(json.loads(format_puzzle(f"9x9+{sample}", "pencilmark")))


SUDOKUPAD = sample("sudokupad.json")


def test_sudokupad():
    puzzle = read_puzzle(json.dumps(SUDOKUPAD))
    assert puzzle == Variant(
        "4x4+diagonals:rising+killer:r1c1r1c2:3+kropki:r2c2r2c3+thermometer:r4c1r3c1"
    )
    assert read_puzzle(format_puzzle(puzzle, "sudokupad")) == puzzle


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"underlays": []}, "a thermometer without a bulb"),
        ({"lines": []}, "a bulb without a thermometer"),
        (
            {"lines": [*SUDOKUPAD["lines"], {"color": "#F00", "thickness": 5, "wayPoints": []}]},
            "lines that nando does not know",
        ),
        ({"overlays": [{"text": "5", "center": [0.5, -0.5]}]}, "overlays that nando does not know"),
        ({"cages": [{"cells": [[0, 0]], "unique": False}]}, "a cage without a rule"),
        ({"cages": [{"cells": [[0, 9]], "value": 3}]}, "killer r1c10 lies outside the board"),
        ({"foglight": [[0, 0]]}, "it has foglight"),
        ({"regions": SUDOKUPAD["regions"][:3]}, "no region holds r3c3"),
        (
            {"lines": [*SUDOKUPAD["lines"], {"color": "#CFCFCF", "thickness": 16}]},
            "SudokuPad is damaged",
        ),
    ],
)
def test_sudokupad_refuses_what_it_does_not_know(change, message):
    with pytest.raises(PuzzleError, match=message):
        read_puzzle(json.dumps(SUDOKUPAD | change), "variant")


def test_formats_declare_what_they_hold():
    holding = [format.name for format in FORMATS if "variants" in format.holds]
    assert set(EXACT) - {"sumocue"} == set(holding)
    for name in ("hodoku", "sudokuwiki", "opensudoku", "sdx", "puzz.link", "penpa", "sdk"):
        with pytest.raises(ValueError, match="hold"):
            format_puzzle("9x9+diagonals", name)


@pytest.mark.parametrize(
    ("first", "foreign"),
    [(Sudoku, {Variant, Nurikabe}), (Variant, {Nurikabe}), (Nurikabe, {Variant})],
)
def test_lines_of_another_kind_say_so(first, foreign):
    """A Sudoku is also a variant; among Nurikabe, it may be a single row."""
    lines = {
        Sudoku: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        Variant: "9x9+diagonals+killer:r1c1r1c2:3",
        Nurikabe: "2..../...3./...../.2.../...2.",
    }
    order = sorted(lines, key=lambda kind: kind is not first)
    text = "\n".join(lines[kind] for kind in order)
    assert kind_of_text(text) == first.kind
    for kind, entry in zip(order, read_puzzles(text.encode(), first), strict=True):
        if kind in foreign:
            message = f"another kind: a {kind.kind}, where {first.kind} is read; "
            message += "the kind variant reads both" if first is Sudoku and kind is Variant else ""
            assert (entry.error or "").startswith(message)
        else:
            assert type(entry.puzzle) is first


def test_a_variant_where_a_sudoku_is_read():
    with pytest.raises(PuzzleError) as caught:
        read_puzzle("9x9+diagonals", "sudoku")
    assert caught.value.status.kinds == {FaultKind.ANOTHER_KIND}
    assert read_puzzle("1" + "." * 80, "variant") == Variant("1" + "." * 80)


def ipuz(**more):
    rows = [[1, 0, 0, 0], [0, {"value": 3}, None, "0"], [0] * 4, [0, 0, 0, "4"]]
    kind = ["http://ipuz.org/sudoku#1"]
    return json.dumps({"version": "http://ipuz.org/v2", "kind": kind, "puzzle": rows} | more)


def test_ipuz():
    plain = "1....3.........4"
    assert read_puzzle(ipuz()) == Variant(plain)
    cage = {"cells": [[2, 1], [3, 1]], "value": 5}
    assert read_puzzle(ipuz(cages=[cage])) == Variant(f"{plain}+killer:r1c2r1c3:5")
    diagonal = ["http://ipuz.org/sudoku#1", "http://ipuz.org/sudoku/diagonalsudoku#1"]
    assert read_puzzle(ipuz(kind=diagonal)) == Variant(f"{plain}+diagonals")
    assert read_puzzle(ipuz(boxes=False)) == Variant(f"{plain}+no-boxes")
    for text in (plain, f"{plain}+diagonals+killer:r1c2r1c3:5", f"{plain}+no-boxes"):
        assert read_puzzle(format_puzzle(Variant(text), "ipuz")) == Variant(text)
    for change, message in (
        ({"kind": ["http://ipuz.org/crossword#1"]}, "the kind 'http://ipuz.org/crossword#1'"),
        ({"cages": [cage | {"operator": "*"}]}, r"a cage with the operator '\*'"),
        ({"arrows": [1]}, "it has arrows"),
        ({"cages": [{"cells": 3}]}, "'puzzle' of ipuz is damaged"),
    ):
        with pytest.raises(PuzzleError, match=message):
            read_puzzle(ipuz(**change))
