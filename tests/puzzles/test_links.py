"""Links and lines as the other programs write them, and everything that can be wrong with one."""

import json
import re
from urllib.parse import quote

import numpy as np
import pytest
from helpers.program_links import drawn_link, numbers_of, packed, zipped
from helpers.samples.sudokus import LINE
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import (
    FaultKind,
    Nurikabe,
    PuzzleError,
    Sudoku,
    Variant,
    format_puzzle,
    read_puzzle,
    read_puzzles,
    read_standing,
)
from nando.puzzles.formats.one_line import find_on
from nando.puzzles.formats.programs.lz import MOST_UNPACKED, pack, unpack
from nando.puzzles.rules import Boxes

PUZZLE = Sudoku(LINE)
ROWS = [LINE[i : i + 9] for i in range(0, 81, 9)]


def fault(text):
    with pytest.raises(PuzzleError) as caught:
        read_puzzle(text)
    (found,) = caught.value.status.faults
    return found.kind, str(caught.value)


def unreadable(text):
    kind, message = fault(text)
    assert kind is FaultKind.UNREADABLE
    return message


def variant(text):
    kind, message = fault(text)
    assert kind is FaultKind.VARIANT
    return message


# f-puzzles and SudokuPad


def f_puzzles_value(**more):
    """Return an export of f-puzzles that includes entries of a player."""
    grid = [[{"value": int(s), "given": True} if s != "." else {} for s in row] for row in ROWS]
    grid[0][2] = {"value": 4, "centerPencilMarks": [4, 8]}
    value = {"size": 9, "title": "\u6570\u72ec", "author": "Somebody", "ruleset": "Normal rules"}
    return value | {"grid": grid, "solution": [5] * 81, "highlightConflicts": True} | more


def lz_packed(value):
    lzstring = pytest.importorskip("lzstring")
    return lzstring.LZString().compressToBase64(json.dumps(value, ensure_ascii=False))


def test_f_puzzles():
    payload = lz_packed(f_puzzles_value())
    for link in (
        f"https://www.f-puzzles.com/?load={payload}",
        f"https://f-puzzles.com/?load={quote(payload, safe='')}",
        f"f-puzzles.com/?load={payload.rstrip('=')}",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{quote(payload)}",
        f"https://app.crackingthecryptic.com/fpuzzles{payload}",
        f"https://sudokupad.app/fpuzzles{payload}?setting-nogrid=1",
        f"https://sudokupad.app/fpuz{payload}",
        f"https://sudokupad.app/scf?puzzleid=fpuzzles{quote(payload)}",
        f"https://beta.sudokupad.app/fpuzzles{payload}",
        f"Today: https://f-puzzles.com/?load={payload} by Somebody",
        json.dumps(f_puzzles_value()),
    ):
        assert read_puzzle(link) == PUZZLE, link


def sudokupad_value(**more):
    cells = [[{"value": int(s)} if s != "." else {} for s in row] for row in ROWS]
    starts = [(r, c) for r in (0, 3, 6) for c in (0, 3, 6)]
    boxes = [[[r + i, c + j] for i in range(3) for j in range(3)] for r, c in starts]
    return {"id": "x1", "cellSize": 50, "cells": cells, "regions": boxes, "cages": []} | more


def classic():
    """Return the older code of SudokuPad: digits, and a letter for each run of blanks."""
    return "classic" + re.sub(r"\.+", lambda run: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(run[0])], LINE)


def test_sudokupad():
    lzstring = pytest.importorskip("lzstring")
    value = sudokupad_value(metadata={"title": "It's [one], {two}", "antiking": False})
    text = zipped(sudokupad_value())
    short = lzstring.LZString().compressToBase64(text)
    for link in (
        "https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79",
        "https://sudokupad.app/" + classic(),
        f"https://sudokupad.app/scl{quote(lz_packed(value), safe='')}",
        f"https://sudokupad.app/sudoku/scl{short}",
        f"https://sudokupad.app/scf?puzzleid=scl{quote(short)}",
        f"https://app.crackingthecryptic.com/ctc{lz_packed(value)}",
        f"ctc{lz_packed(value)}",
        json.dumps(value),
    ):
        assert read_puzzle(link) == PUZZLE, link


def test_sudokupad_with_more_rules():
    link = "https://sudokupad.app/scl{}".format
    assert "arrows" in variant(link(lz_packed(sudokupad_value(arrows=[{"color": "#ccc"}]))))
    for prose in (
        {"metadata": {"rules": ["Cells a knight's move apart cannot hold the same digit."]}},
        {"cages": [{"value": "rules: Anti-knight", "hidden": True}]},
    ):
        assert "the rule 'anti-knight' in its text" in variant(
            link(lz_packed(sudokupad_value(**prose)))
        )
        settled = prose | {"metadata": prose.get("metadata", {}) | {"antiknight": True}}
        assert read_puzzle(link(lz_packed(sudokupad_value(**settled)))) == Variant(
            f"{LINE}+anti-knight"
        )
    normal = sudokupad_value(metadata={"rules": ["Normal sudoku rules apply."]})
    assert read_puzzle(link(lz_packed(normal))) == PUZZLE
    cage = {"cells": [[0, 2], [0, 3]], "value": "10", "unique": True}
    short = quote(pack(zipped(sudokupad_value(cages=[cage]))))
    assert read_puzzle(link(short)) == Variant(f"{LINE}+killer:r1c3r1c4:10")
    letter = sudokupad_value(cages=[cage | {"value": "A"}])
    assert "a cage with 'A'" in variant(link(lz_packed(letter)))
    boxes = sudokupad_value()["regions"]
    boxes[0][0], boxes[1][0] = boxes[1][0], boxes[0][0]
    assert "+regions:" in read_puzzle(link(lz_packed(sudokupad_value(regions=boxes)))).text
    diagonals = read_puzzle("https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*x")
    assert diagonals == Variant(f"{LINE}+diagonals")
    assert "the rule 'q'" in variant("https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*q")


def test_links_that_only_name_a_puzzle():
    for link in ("https://sudokupad.app/psxczr0jpr", "https://sudokupad.app/somebody/a-title"):
        assert "only names the puzzle" in unreadable(link)
    assert "only names a puzzle" in unreadable("https://f-puzzles.com/?id=yx4c3d9m")
    message = unreadable("https://www.websudoku.com/?level=2&set_id=1")
    assert (
        "wanted a link of f-puzzles, sudokupad, sudokuwiki, puzz.link, penpa, lisudoku" in message
    )


def test_lz_agrees_with_the_package():
    lzstring = pytest.importorskip("lzstring")
    other = lzstring.LZString()

    @given(st.text(alphabet='ab{}[]":,01\u00e9\xff', max_size=300))
    @settings(max_examples=25, deadline=None)
    def agrees(text):
        assert pack(text) == other.compressToBase64(text)
        assert unpack(pack(text)) == text

    @given(st.text(max_size=60).filter(lambda text: "\ud800" > max(text, default="") > "\0"))
    @settings(max_examples=25, deadline=None)
    def reads(text):
        assert unpack(other.compressToBase64(text)) == text

    agrees()
    reads()


def test_lz_bombs():
    bomb = pack("a" * (MOST_UNPACKED + 1))
    assert len(bomb) < 5_000
    for link in ("https://f-puzzles.com/?load={}", "https://sudokupad.app/scl{}"):
        message = unreadable(link.format(bomb))
        assert "unpacks to more than 1,048,576 characters" in message
        assert message.count("unreadable") == 1


@pytest.mark.thorough
def test_the_longest_text_is_unpacked():
    assert len(unpack(pack("a" * MOST_UNPACKED))) == MOST_UNPACKED


def test_json_bombs_in_links():
    for text in ("[" * 100_000, '{"grid":' + "[" * 1_000, "9" * 100_000, '{"grid":1e999}'):
        assert "holds no puzzle" in unreadable(f"https://f-puzzles.com/?load={pack(text)}")


# SudokuWiki and HoDoKu

X_WING = Sudoku("1.....5694.2.....8.5...9.4....64.8.1....1....2.8.35....4.5...1.9.....4.2621.....5")


def test_sudokuwiki():
    """The position of its page on X-wings and the puzzle that leads there are read."""
    solver = "https://www.sudokuwiki.org/sudoku.htm?bd="
    position = (
        "S9B015y2e685w68050609040i022e0e0f0a2e085y050f0a5u090b042e2u2e0i06042c0810012q0f0dd0015w"
        "9i102e020a089e03050f9e0d5y042e05d0609i010f095y0e5y0f0a045y0206020166cy669id205"
    )
    assert read_puzzle(solver + X_WING.text.replace(".", "0")) == X_WING
    assert read_puzzle(solver + X_WING.text) == X_WING
    assert read_puzzle(solver + position) == X_WING
    assert read_puzzle(position) == X_WING
    assert read_puzzle(f"{solver}{position}&x=1") == X_WING


def test_sudokuwiki_with_candidates_as_bits():
    """Two symbols per cell in base 32 give the bits of candidates, the lowest bit marks a given."""
    symbols = "0123456789abcdefghijklmnopqrstuv"
    numbers = [2 ** int(s) + 1 if s != "." else 2 ** (1 + i % 9) for i, s in enumerate(LINE)]
    board = "".join(symbols[n // 32] + symbols[n % 32] for n in numbers)
    assert read_puzzle(f"https://www.sudokuwiki.org/sudoku.htm?bd={board}") == PUZZLE


def test_sudokuwiki_refused():
    solver = "https://www.sudokuwiki.org/sudoku.htm?bd="
    assert "82 symbols after bd=" in unreadable(solver + LINE + ".")
    for letter, rule in (("X", "diagonals"), ("W", "windoku"), ("C", "disjoint-groups")):
        link = f"{solver}{letter}9B05{'ee' * 80}"
        assert read_puzzle(link) == Variant(f"5{'.' * 80}+{rule}")
    assert "cages, which nando does not read" in variant(f"{solver}L9B{'01' * 81}")
    assert "'w.' in the board" in unreadable(f"{solver}{'w.' * 81}")


def test_hodoku():
    """In a copy from its library, entered digits have a sign and candidates are removed."""
    board = LINE.replace("53..", "53+4.").replace("79", "+7+9")
    expected = Sudoku(LINE[:-2] + "..")
    assert read_puzzle(f":0300:4:{board}:411 416::c4 r1:") == expected


# puzz.link, pzpr


def test_puzz_link():
    hard = ".....13.......27..476..39..825.....................841..29..538..18.......96....."
    for link in (
        "https://puzz.link/p?sudoku/9/9/k13m27h476h39h825zg841h29h538h18m96k",
        "http://pzv.jp/p.html?sudoku/9/9/k13m27h476h39h825zg841h29h538h18m96k",
        "sudoku/9/9/k13m27h476h39h825zg841h29h538h18m96k",
    ):
        assert read_puzzle(link) == Sudoku(hard), link
    numbers = [[0] * 10 for _ in range(6)]
    numbers[0][0], numbers[2][3], numbers[4][9], numbers[5][9] = 15, 16, -1, 300
    link = "https://puzz.link/p?nurikabe/10/6/fzh-10zk.o+12c"
    assert read_puzzle(link) == Nurikabe.from_numbers(numbers)
    assert format_puzzle(Nurikabe.from_numbers(numbers), "puzz.link") == link
    assert read_puzzle("https://puzz.link/p?nurikabe/5/5/g5k2o1k3g").text == (
        ".5.../..2../...../..1../...3."
    )
    assert read_puzzle("http://pzv.jp/p.html?nurikabe/2/2/").text == "../.."


def test_puzz_link_refused():
    assert "more cells than 2 rows of 2" in unreadable("https://puzz.link/p?nurikabe/2/2/zzz")
    assert "at most 100 by 100" in unreadable("https://puzz.link/p?nurikabe/999999999/2/z")
    assert "'-1' in the link" in unreadable("https://puzz.link/p?nurikabe/2/2/-1")
    assert "'!' in the link" in unreadable("https://puzz.link/p?nurikabe/2/2/g!")
    assert "'slither'" in variant("https://puzz.link/p?slither/5/6/2bgb0bbhb1adg1b")
    kind, message = fault("https://puzz.link/p?sudoku/7/7/61j3g2j4g3j5g4j6g5j12")
    assert kind is FaultKind.WRONG_LENGTH
    assert "wanted 9x9" in message


@pytest.mark.parametrize(
    ("link", "part"),
    [
        ("https://puzz.link/p?sudoku/v:/4/4/g1j2j3i4g", "'v:' (variant rules)"),
        ("https://puzz.link/p?nurikabe/v:12/5/5/2m3m2l2g", "'v:12' (variant rules)"),
        ("https://puzz.link/p?nurikabe/d/b/5/5/2m3m2l2g", "'d'"),
        ("http://pzv.jp/p.html?nurikabe/5/5/2m3m2l2g/9", "'9'"),
    ],
)
def test_no_part_of_a_link_is_skipped(link, part):
    """What nando does not know of a link may be a rule."""
    assert f"it has the part {part} in its link, which nando does not read" in variant(link)


@pytest.mark.parametrize("text", ["1000020000300004", f"61{'.' * 32}12", "4x4", "6x6"])
@pytest.mark.parametrize("name", ["puzz.link", "pzprv3"])
def test_small_sudokus_of_pzpr(text, name):
    puzzle = Variant(text)
    written = format_puzzle(puzzle, name)
    assert read_puzzle(written) == puzzle
    (entry,) = read_puzzles(written.encode(), Sudoku)
    assert entry.error.startswith("another kind: a variant")
    with pytest.raises(ValueError, match="holds Sudoku"):
        format_puzzle(Variant(f"{text}+anti-king"), name)


def test_a_plain_variant_is_written_as_a_sudoku():
    assert format_puzzle(Variant(LINE), "hodoku") == format_puzzle(PUZZLE, "hodoku")


def test_pzpr_files():
    """Files with entries and shaded cells are read."""
    rows = ["".join(f"{s} " for s in row) for row in ROWS]
    filled = ["4 " + ". " * 8] + [". " * 9] * 8
    for between in ("\n", "/"):
        assert read_puzzle(between.join(["pzprv3", "sudoku", "9", *rows, *filled, ""])) == PUZZLE
    played = ["pzprv3", "nurikabe", "2", "3", "2 + # ", "# # - "]
    for text in ("\n".join(played), "/".join(played), "\r\n".join([*played, "", "history:{}"])):
        assert read_puzzle(text) == Nurikabe("2../..?")
    for damaged in (played[:3], played[:5], ["pzprv3", "nurikabe", "x", "3"], ["pzprv3.1"]):
        with pytest.raises(PuzzleError):
            read_puzzle("\n".join(damaged))


# Penpa+


def test_penpa():
    """A drawing saved by Penpa+ counts cells from the margin and abbreviates its JSON."""
    numbers = numbers_of(LINE)
    numbers[str(2 * 13 + 2 + 2)] = [[1, 0, 0, 1, 0, 0, 0, 0, 0], 1, "7"]  # candidates
    drawn = {"zR": {"z_": []}, "zN": numbers, "zY": {}, "zT": []}
    assert read_puzzle(drawn_link(drawn)) == PUZZLE
    assert read_puzzle(drawn_link(drawn).replace("#m=edit&p", "?m=solve&p")) == PUZZLE
    assert read_puzzle("m=edit&p=" + drawn_link(drawn).partition("&p=")[2]) == PUZZLE
    assert read_puzzle(drawn_link(drawn, tags=["classic", "sudoku"])) == PUZZLE
    assert read_puzzle(drawn_link(drawn, tags=["nurikabe"])).kind == "nurikabe"
    assert "the rules of slitherlink" in variant(drawn_link(drawn, tags=["slitherlink"]))
    assert "symbol" in variant(drawn_link(drawn | {"zY": {"30": [1, "circle_L", 1]}}))
    thermometer = drawn_link(drawn | {"zT": [[32, 45], []]}, tags=["classic", "sudoku"])
    assert read_puzzle(thermometer) == Variant(f"{LINE}+thermometer:r1c5r2c5")
    played = {"number": {"30": ["4", 1, "1"], "31": [[0, 1, 0, 0, 0, 1], 1, "7"]}}
    standing = read_standing(drawn_link(drawn | {"zT": [[32, 45], []]}, answer=played))
    assert standing.puzzle == Variant(f"{LINE}+thermometer:r1c5r2c5")
    assert standing.entries[2] == 4
    assert np.flatnonzero(standing.candidates[3]).tolist() == [1, 5]
    cage = {"zN": {}, "killercages": [[28, 29]], "numberS": {str(4 * (28 + 169)): [" 10", 1]}}
    more = {"cage": {"788,789": 10}, "arrows": [[30, 31, 32]]}
    assert read_puzzle(drawn_link(drawn | cage | more)) == Variant(
        "9x9+killer:r1c1r1c2:10+arrow:r1c3:r1c4r1c5"
    )
    assert "cage" in variant(drawn_link(drawn | {"cage": {"788,789": 10}}))
    beside = cage | {"numberS": {str(4 * (29 + 169) + 3): ["10", 1]}}  # another corner of the cage
    assert read_puzzle(drawn_link(drawn | beside)) == Variant("9x9+killer:r1c1r1c2:10")
    assert "numberS" in variant(drawn_link(drawn | cage | {"numberS": {"900": ["5", 1]}}))
    assert "thermo" in variant(drawn_link(drawn | {"zT": [[1, 2]]}))
    assert "numbers outside the board" in variant(drawn_link(drawn | {"zN": {"3": ["5", 1, "1"]}}))
    assert "a board of the form 'hex'" in variant(drawn_link(drawn, shape="hex"))
    for size in ("9,99999999", "0,9", "-1,9", "x,9"):
        assert fault(drawn_link(drawn, size=size))[0] is FaultKind.UNREADABLE
    message = unreadable(drawn_link(drawn, size="9,201"))
    assert "201 rows of 9 cells; at most 200 by 200" in message


def penpa_line(size, first, second):
    """Return a line between corners, which count from the upper left one of the board."""
    width = size + 4
    return ",".join(
        str(width * width + (row + 1) * width + column + 1) for row, column in (first, second)
    )


def borders(size, regions):
    """Return the lines between cells of different regions."""
    drawn = {}
    for row in range(size):
        for column in range(size):
            own = regions[row * size + column]
            if column and regions[row * size + column - 1] != own:
                drawn[penpa_line(size, (row, column), (row + 1, column))] = 2
            if row and regions[(row - 1) * size + column] != own:
                drawn[penpa_line(size, (row, column), (row, column + 1))] = 2
    return drawn


def test_penpa_states_rules_by_options_and_tags():
    """Rules are read from the board's Sudoku options, and from tags with what the tools draw."""
    given = {"number": {str(2 * 13 + 2): ["5", 1, "1"]}}
    falling = {penpa_line(9, (i, i), (i + 1, i + 1)): 12 for i in range(9)}
    rising = {penpa_line(9, (i, 9 - i), (i + 1, 8 - i)): 12 for i in range(9)}
    both = given | {"lineE": falling | rising}
    start = "5" + "." * 80
    for options, lines, which in (
        ("1,0,0,1", falling | rising, ""),
        ("1,0,0,0", falling, ":falling"),
        ("0,0,0,1", rising, ":rising"),
    ):
        text = drawn_link(given | {"lineE": lines}, shape="sudoku", options=options)
        assert read_puzzle(text) == Variant(f"{start}+diagonals{which}")
    assert "slanted lines" in variant(drawn_link(both, shape="sudoku"))
    assert read_puzzle(drawn_link(given, tags=["classic", "nonconsecutive"])) == Variant(
        f"{start}+non-consecutive"
    )
    assert read_puzzle(drawn_link(given, tags=["latin"])) == Variant(f"{start}+no-boxes")
    shapes = {"30": [3, "circle_L", 1], "31": [3, "square_L", 1], "32": [3, "circle_L", 1]}
    marked = given | {"symbol": shapes}
    assert read_puzzle(drawn_link(marked, tags=["evenodd"])) == Variant(
        f"{start}+odd:r1c3r1c5+even:r1c4"
    )
    assert "symbol" in variant(drawn_link(marked, tags=["classic"]))
    star = given | {"symbol": shapes | {"33": [1, "star", 2]}}
    assert "symbol" in variant(drawn_link(star, tags=["evenodd"]))
    assert "the rules of renban" in variant(drawn_link(given, tags=["sudoku", "renban"]))


def test_penpa_has_boxes_and_regions():
    regions = "111222113222133444333444555666555666"
    for tags in (["irregular"], ["irregular", "sudoku"]):
        drawn = {"lineE": borders(6, regions)}
        assert read_puzzle(drawn_link(drawn, size=6, tags=tags)) == Variant(
            f"6x6+regions:{regions}"
        )
    boxes = {"lineE": borders(6, "111222111222333444333444555666555666")}
    assert read_puzzle(drawn_link(boxes, size=6, shape="sudoku")) == Variant("6x6")
    assert "irregular boxes" in variant(drawn_link({"lineE": borders(6, regions)}, size=6))
    torn = borders(6, regions)
    torn.pop(next(iter(torn)))
    for drawn in ({}, {"lineE": torn}):
        assert "it has irregular" in variant(drawn_link(drawn, size=6, tags=["irregular"]))


def test_a_packed_puzzle_is_not_read_as_a_link():
    """Base 64 may contain a slash followed by what looks like a board of SudokuWiki."""
    board = "b9b" + "Z" * 162
    link = format_puzzle(PUZZLE, "penpa") + "/" + board
    assert find_on(board)[0].name == "sudokuwiki"
    assert find_on(link)[0].name == "penpa"


def test_penpa_bombs():
    link = packed(["square,9,9", " " * 10_000_000])
    assert len(link) < 20_000
    assert "unpacks to more than 1,048,576 bytes" in unreadable(link)


# lisudoku and Solo


def test_lisudoku_links_with_digits_alone():
    base_of = "https://lisudoku.xyz/{}?import={}"
    zeros = LINE.replace(".", "0")
    assert read_puzzle(base_of.format("solver", zeros)) == PUZZLE
    assert read_puzzle(base_of.format("e", "1000020000300004")) == Variant("1....2....3....4")
    assert "damaged" in unreadable(base_of.format("e", zeros[:-1]))


def solo_shapes(shapes, n):
    """Return the borders between shapes, a symbol for each cell, as Solo writes them."""
    across = [(r * n + c, r * n + c + 1) for r in range(n) for c in range(n - 1)]
    down = [(r * n + c, r * n + c + n) for c in range(n) for r in range(n - 1)]
    drawn = [shapes[one] != shapes[other] for one, other in across + down]
    runs = "".join("|" if border else "." for border in [*drawn, True]).split("|")[:-1]
    return "".join(chr(ord("a") - 1 + len(run)) if run else "_" for run in runs)


def test_solo():
    """Letters are runs of empty cells; in shapes, runs of borders that are not drawn."""
    assert read_puzzle("2x2:1a2_3c4h") == Variant("1.23...4........")
    assert read_puzzle("3x3:zzzb9") == Sudoku("." * 80 + "9")
    assert read_puzzle("2x3:zi1") == Variant("." * 35 + "1")
    assert read_puzzle("3x2:zi1") == Variant.of("." * 35 + "1", [Boxes(3, 2)])
    assert read_puzzle("2x2x:p") == Variant("4x4+diagonals")
    assert solo_shapes("1111222233334444", 4) == "l____________"
    assert read_puzzle("4j:p,l____________") == Variant("4x4+no-boxes")
    regions = "1112122233343444"
    jigsaw = read_puzzle(f"4jx:n2a,{solo_shapes(regions, 4)}")
    assert jigsaw == Variant(f"{'.' * 14}2.+diagonals+regions:{regions}")


def test_solo_killers():
    shapes = "1122133244556655"
    sums = {"1": 6, "2": 7, "3": 5, "4": 3, "5": 10, "6": 7}
    seen = {shapes.index(shape): total for shape, total in sums.items()}
    clues, gap = "", 0
    for place in range(16):
        if place in seen:
            clues += (chr(ord("a") - 1 + gap) if gap else "_" * bool(clues)) + str(seen[place])
            gap = 0
        else:
            gap += 1
    link = f"2x2k:p,{solo_shapes(shapes, 4)},{clues}{chr(ord('a') - 1 + gap)}"
    cells = [f"r{row}c{column}" for row in range(1, 5) for column in range(1, 5)]
    rules = ""
    for shape, total in sums.items():
        inside = [cell for cell, own in zip(cells, shapes, strict=True) if own == shape]
        rules += f"+killer:{''.join(inside)}:{total}"
    assert read_puzzle(link) == Variant(f"4x4{rules}")
    for damaged, message in (
        (link.rpartition(",")[0], "with 2 parts; wanted 3"),
        (link[:-1], "cells; wanted 16"),
        (f"{link}a", "cells; wanted 16"),
        ("2x2k:p,l____________,p", "with 0 sums in the cage r1c1"),
        ("2x2k:p,l___,p", "whose borders do not end with the grid"),
    ):
        assert message in unreadable(damaged)
