"""Pictures of steps: marks, coordinates, titles, themes, sizes, animations and parts of pages."""

import html
import json
import re
import struct
from xml.etree import ElementTree

import pytest
from helpers.command import run

import nando
from nando.drawing.boards import origin, position
from nando.drawing.shapes import GREY, Text, row_number
from nando.drawing.walks import Figure, Panel, _lines, animate, focused, use_letters
from nando.puzzles import Sudoku
from nando.solvers import unique_solution

PUZZLE = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def panels():
    steps = nando.explain(PUZZLE).steps[19:25]
    return [Panel(one.number, one.sentence(), position(one.position, one.step)) for one in steps]


def test_pencil_marks_can_be_left_out(panels):
    panel = panels[3]
    plain = Figure(pencil_marks=False).panel(panel, 9)
    dropped = set(panel.picture.shapes) - set(plain.picture.shapes)
    assert len(dropped) > 20
    assert all(isinstance(shape, Text) and shape.fill == GREY for shape in dropped)
    assert {row_number(i) for i in range(9)} <= set(plain.picture.shapes)
    assert Figure().panel(panel, 9).picture == panel.picture


@pytest.mark.parametrize("houses", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "..34............+killer:r2c2r2c3:5+killer:r3c2r4c2:4+killer:r3c3r3c4:7",
        "...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4",
    ],
)
def test_a_focused_step_keeps_the_candidates_of_its_own_cells_alone(text, houses):
    for taken in nando.explain(text).steps[:30]:
        before, step = taken.position, taken.step
        whole = position(before, step).shapes
        kept = focused(before, step, houses=houses).shapes
        about = {*step.cells, *(step.placement or ())[:1]}
        about |= {cell for cell, _ in step.eliminations}
        about |= {end[i] for end in step.links for i in (0, 3)}
        about |= {cell for house in step.houses if houses for cell in before.house(house)}
        left, top = origin(before.puzzle)
        width = before.puzzle.shape[1]
        for shape in set(whole) - set(kept):
            assert shape.text.isdigit()
            assert int(shape.y - top) * width + int(shape.x - left) not in about
        others = {cell for cell in range(width**2) if not before.values[cell]} - about
        assert len(whole) - len(kept) == sum(len(before.digits(cell)) for cell in others)


def test_letters_for_rows(panels):
    panel = Figure(coordinates="A1").panel(panels[3], 9)
    assert panel.sentence.startswith("XY-wing with pivot F8 (5 6) and pincers D7 (3 6)")
    texts = [shape.text for shape in panel.picture.shapes if isinstance(shape, Text)]
    assert [text for text in texts if text.isalpha()] == list("ABCDEFGHI")


@pytest.mark.parametrize(
    ("text", "n_rows", "words"),
    [
        ("r2c2 and r45c6 (column 6, rows 1, 3 and 6)", 9, "B2 and DE6 (column 6, rows A, C and F)"),
        ("r12c3, r1+2c14", 16, "L3, AB14"),
        ("Zeilen 1 und 3: Z4S7 oder Z45S6; Zeile 9", 9, "Zeilen A und C: D7 oder DE6; Zeile I"),
        (
            "les lignes 1 et 3\u00a0: L4C7\u00a0; riga 4",
            9,
            "les lignes A et C\u00a0: D7\u00a0; riga D",
        ),
        (
            "w wierszach 1 i 3: W4K7 lub W45K6, 3と4行目の4行7列",
            9,
            "w wierszach A i C: D7 lub DE6, CとD行目のD7",
        ),
        (
            "（3 9、3行1列と3行3列、3行目）、（9：2と8行目）",
            9,
            "（3 9、C1とC3、C行目）、（9：BとH行目）",
        ),
        ("in these two rows, the 4 can only go in row 2, 3 times", 9, None),
    ],
)
def test_sentences_in_letters(text, n_rows, words):
    assert use_letters(text, n_rows) == (words or text.replace("row 2", "row B"))


def test_more_rows_than_letters_are_refused():
    with pytest.raises(ValueError, match="coordinates A1 have 26 rows, got 30; use r1c1"):
        use_letters("r1c1", 30)


def test_a_dark_picture_has_a_ground_and_light_ink(panels):
    picture = Figure(theme="dark", title="Night").finished(panels[3].picture)
    assert picture.shapes[0].fill == "#16191e"
    assert picture.height > panels[3].picture.height
    colours = {shape.fill for shape in picture.shapes if isinstance(shape, Text)}
    assert "#1a1a1a" not in colours
    assert "#f0f0f0" in colours


def test_an_animation_shows_each_picture_in_its_time(panels):
    pictures = [panel.picture for panel in panels]
    root = ElementTree.fromstring(animate(pictures, 2.0, unit=40, title="A walk"))
    assert root.find(f"{SVG}title").text == "A walk"
    shown = [0] * len(pictures)
    for group in root.findall(f"{SVG}g"):
        timed = group.find(f"{SVG}animate")
        times, values = [0.0, 1.0], ["visible"]
        if timed is not None:
            assert timed.get("dur") == "12s"
            times = [*map(float, timed.get("keyTimes").split(";")), 1.0]
            values = timed.get("values").split(";")
        n_texts = len(group.findall(f".//{SVG}text"))
        for i in range(len(pictures)):
            now = (i + 0.5) / len(pictures)
            stretch = max(k for k, time in enumerate(times[:-1]) if time <= now)
            shown[i] += n_texts if values[stretch] == "visible" else 0
    texts = [
        len({shape for shape in picture.shapes if isinstance(shape, Text)}) for picture in pictures
    ]
    assert shown == texts


def test_sizes_of_pictures(tmp_path):
    for size, dpi, pixels in (("700px", 144, 700), ("50mm", 300, 590), ("2in", 100, 200)):
        file = tmp_path / "step.png"
        made = run("explain", "--step", 23, "--size", size, "--dpi", dpi, "-o", file, PUZZLE)
        assert made.exit_code == 0
        data = file.read_bytes()
        assert abs(struct.unpack(">I", data[16:20])[0] - pixels) <= 1
        per_metre = struct.unpack(">I", data[data.index(b"pHYs") + 4 :][:4])[0]
        assert abs(per_metre * 0.0254 - dpi) < 1
    run("explain", "--step", 23, "--size", "50mm", "-o", tmp_path / "step.svg", PUZZLE)
    svg = (tmp_path / "step.svg").read_text(encoding="utf-8")
    assert abs(float(re.search(r'width="([\d.]+)pt"', svg)[1]) - 50 / 25.4 * 72) < 0.1


def test_a_file_for_each_step(tmp_path):
    made = run("explain", "--title", "Tea", "-o", tmp_path / "step-{n}.svg", PUZZLE)
    assert made.exit_code == 0
    files = sorted(path.name for path in tmp_path.iterdir())
    assert (len(files), files[0], files[-1]) == (54, "step-01.svg", "step-54.svg")
    root = ElementTree.fromstring((tmp_path / "step-23.svg").read_text(encoding="utf-8"))
    assert root.find(f"{SVG}title").text.startswith("XY-wing with pivot")
    assert "Tea" in [text.text for text in root.iter(f"{SVG}text")]
    assert "23. XY-wing with" in "".join(text.text for text in root.iter(f"{SVG}text"))


def test_the_file_of_steps_told_together_has_the_number_of_the_first(tmp_path):
    cages = ("r1c1r1c2:3", "r1c3r1c4r2c4:9", "r2c1r3c1:7", "r2c2r3c2:4", "r2c3r3c3r3c4:7")
    killer = "4x4" + "".join(f"+killer:{cage}" for cage in (*cages, "r4c1r4c2r4c3r4c4:10"))
    assert run("explain", "-o", tmp_path / "{n}.svg", killer).exit_code == 0
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files[:2] == ["01.svg", "04.svg"]
    root = ElementTree.fromstring((tmp_path / "01.svg").read_text(encoding="utf-8"))
    assert "".join(text.text for text in root.iter(f"{SVG}text")).count("1–3. Sum of two") == 1


def test_parts_of_other_pages(tmp_path):
    part, script = tmp_path / "part.html", tmp_path / "walk.js"
    run("explain", "--fragment", "--title", "<Tea>", "-o", part, PUZZLE)
    text = part.read_text(encoding="utf-8")
    frame = re.fullmatch(
        r'<iframe class="nando" title="([^"]*)" srcdoc="([^"]*)"[^>]*></iframe>\n', text
    )
    assert html.unescape(frame[1]) == "<Tea>"
    assert html.unescape(frame[2]).startswith("<!DOCTYPE html>")
    run("explain", "--title", "<Tea>", "-o", script, PUZZLE)
    code = script.read_text(encoding="utf-8")
    inserted = re.fullmatch(
        r'document\.currentScript\.insertAdjacentHTML\("afterend", (".*")\);\n', code
    )
    assert json.loads(inserted[1]) == text


def test_steps_move_in_a_gif(tmp_path):
    pytest.importorskip("matplotlib")
    from PIL import Image

    standing = Sudoku(PUZZLE).solution_text(unique_solution(Sudoku(PUZZLE)))[:78] + "..."
    made = run(
        "explain", "--from", standing, "--size", "200px", "-o", str(tmp_path / "a.gif"), PUZZLE
    )
    assert made.exit_code == 0, made.stderr
    with Image.open(tmp_path / "a.gif") as picture:
        assert picture.format == "GIF"
        assert picture.n_frames == 2
        assert (picture.info["loop"], picture.info["duration"]) == (0, 2000)
        assert picture.width == 200


def test_japanese_captions_fit():
    lines = [_lines("裸のペア" * 20, 40), _lines("a naked pair " * 20, 40)]
    assert max(map(len, lines[0])) == 22
    assert max(map(len, lines[1])) <= 40
