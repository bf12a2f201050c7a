"""`nando convert`, and puzzles and links as arguments of every command."""

import gzip
import json
from xml.etree import ElementTree

import pytest
from helpers.command import run
from helpers.samples.sudokus import LINE, SOLUTION

import nando
from nando.puzzles import Nurikabe, Sudoku, format_puzzle, read_puzzles

PUZZLE = Sudoku(LINE)
LINK = format_puzzle(PUZZLE, "sudokupad")
NURIKABE = Nurikabe("3.2.1/...../...../....7/1....")


def test_links_out_and_back():
    for puzzle in (PUZZLE, NURIKABE):
        links = run("convert", "--to", "puzz.link", puzzle.text)
        assert links.stdout == format_puzzle(puzzle, "puzz.link") + "\n"
        assert run("convert", "-", stdin=links.stdout).stdout.strip() == puzzle.text


def test_files_by_their_suffix(tmp_path):
    source = tmp_path / "puzzles.txt"
    source.write_text(f"{LINE}\n{LINE}\n")
    for suffix in (".opensudoku", ".json", ".csv", ".sdm", ".xml.gz"):
        output = tmp_path / f"out{suffix}"
        done = run("convert", str(source), "-o", str(output))
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
        assert [entry.puzzle for entry in read_puzzles(output)] == [PUZZLE, PUZZLE]
    with gzip.open(tmp_path / "out.xml.gz", "rt") as file:
        assert "<opensudoku>" in file.read()


def test_bad_puzzles_are_reported_and_the_others_written(tmp_path):
    source = tmp_path / "puzzles.txt"
    source.write_text(f"{LINE}\n{LINE[:80]}\n{'.' * 256}\n{LINE}\n")
    done = run("convert", "--to", "opensudoku", str(source))
    assert done.exit_code == 1
    assert [entry.puzzle for entry in read_puzzles(done.stdout.encode())] == [PUZZLE, PUZZLE]
    assert "2 of 4 puzzles cannot be used" in done.stderr
    assert "line 2: wrong length: 80 symbols" in done.stderr
    assert "line 3: opensudoku holds Sudoku of 9x9 only; this is a sudoku of 16x16" in done.stderr


MATRIX = json.dumps(PUZZLE.givens.reshape(9, 9).tolist())


@pytest.mark.parametrize("argument", [LINE, LINK, PUZZLE.grid(), f"See {LINK} for it", MATRIX])
def test_a_puzzle_itself_is_an_argument(argument):
    assert run("solve", argument).stdout.strip() == SOLUTION
    assert run("canonical", argument).stdout.strip() == PUZZLE.equivalence_key()


def test_every_command_takes_a_link():
    rated = json.loads(run("rate", "--format", "jsonl", LINK).stdout)
    assert rated["puzzle"] == LINE
    assert rated["file"] is None
    counted = run("features", "--groups", "givens", "--format", "jsonl", LINK)
    assert json.loads(counted.stdout)["givens"] == 30
    assert run("explain", "--hint", "1", LINK).stdout.startswith("Look")
    assert len(run("order", "--runs", "2", LINK).stdout.splitlines()) == 11


def test_links_without_a_puzzle_are_reported():
    for link in ("https://sudokupad.app/psxczr0jpr", "https://example.org/"):
        done = run("rate", link)
        assert done.exit_code == 1
        assert "1 of 1 puzzles cannot be used" in done.stderr


def test_a_file_of_any_name_is_read_as_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "." * 80 + "1"
    (tmp_path / name).write_text(LINE)
    assert run("solve", name).stdout.strip() == SOLUTION


def test_an_unknown_suffix_is_taken_if_the_format_is_named(tmp_path):
    for name, options in (("x.gif", ("--to", "line")), ("lines", ()), ("x.txt.gz", ())):
        assert run("convert", *options, "-o", tmp_path / name, LINE).exit_code == 0


VARIANT = "4x4+killer:r1c1r1c2r2c1:9+killer:r1c3r2c3r3c3:8+killer:r1c4r2c4:3+killer:r2c2r3c2r4c2:7"
VARIANT += "+killer:r3c1r4c1:4+killer:r3c4r4c3r4c4:9"


def test_variants_in_and_out(tmp_path):
    for name in ("line", "json", "f-puzzles"):
        there = run("convert", "--to", name, VARIANT)
        assert (there.exit_code, there.stderr) == (0, ""), name
        back = run("convert", "-", stdin=there.stdout)
        assert (back.exit_code, back.stdout) == (0, VARIANT + "\n"), name
    table = tmp_path / "table.csv"
    table.write_text(f"name,puzzle\na,{VARIANT}\nb,4x4+kller:r1c1:2\nc,6x6\n")
    done = run("convert", str(table))
    assert done.stdout == f"{VARIANT}\n6x6\n"
    assert "line 3: unknown rule 'kller'; did you mean 'killer'?" in done.stderr
    lines = tmp_path / "lines.jsonl"
    lines.write_text("\n".join([run("convert", "--to", "json", VARIANT).stdout] * 2))
    assert run("convert", str(lines)).stdout.count("4x4+killer") == 2
    nine = run("convert", "--kind", "variant", "--to", "json", LINE)
    assert json.loads(nine.stdout)[0]["givens"] == LINE


def test_commands_take_variants():
    assert run("canonical", VARIANT).stdout.startswith("4x4+killer:")
    assert run("solve", VARIANT).stdout == "2341413232141423\n"
    assert "rest of a sum" in run("explain", VARIANT).stdout
    assert "nobody timed" in run("rate", "-f", "table", VARIANT).stdout
    assert "variant_fills" in run("features", VARIANT).stdout


def test_puzzles_are_drawn(tmp_path):
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    step = nando.explain(LINE).steps[0]
    for form, start in starts.items():
        file = tmp_path / f"one.{form}"
        assert run("convert", LINE, "-o", file).exit_code == 0
        drawn = file.read_bytes()
        assert drawn.startswith(start)
        assert run("convert", "--to", form, LINE).stdout_bytes == drawn
        nando.draw(LINE, file)
        assert file.read_bytes() == drawn
        nando.draw(step, file)
        assert file.read_bytes().startswith(start)
        assert file.read_bytes() != drawn
    several = tmp_path / "several.txt"
    several.write_text(f"{LINE}\n{VARIANT}\n")
    assert run("convert", several, "-o", tmp_path / "board-{n}.svg").exit_code == 0
    assert (tmp_path / "board-2.svg").read_text().startswith("<svg")
    with pytest.raises(ValueError, match="format must be one of svg, png, pdf"):
        nando.draw(LINE, tmp_path / "board.gif")
    with pytest.raises(TypeError, match="give one puzzle at a time"):
        nando.draw(nando.rate([LINE, LINE]), tmp_path / "board.svg")


@pytest.mark.parametrize("value", ["puzzle", "rate", "solve", "explain", "generate", "step"])
def test_results_have_a_picture(value):
    puzzle = Sudoku(LINE)
    results = {
        "puzzle": lambda: puzzle,
        "rate": lambda: nando.rate(puzzle),
        "solve": lambda: nando.solve(puzzle),
        "explain": lambda: nando.explain(puzzle),
        "generate": lambda: nando.generate(seed=1),
        "step": lambda: nando.explain(puzzle).steps[0],
    }
    picture = ElementTree.fromstring(results[value]().svg())
    assert picture.tag.endswith("svg")
    digits = sum(element.text in [*"123456789"] for element in picture.iter())
    assert digits >= (81 if value == "solve" else 20)
