"""Long rating runs: a cache, processes, columns of the puzzles' own file, changed input."""

import json

import pandas as pd
import pytest
from helpers.command import rows, run
from helpers.samples.sudokus import EXAMPLES, NINES

from nando.cli import reading as _reading
from nando.cli.commands import rate as _rate
from nando.generators import SudokuSource, generate


def interrupt_after(monkeypatch, chunks):
    """Press Ctrl-C after `chunks` chunks have been read."""
    whole = _reading.PuzzleFiles.chunks

    def some(*arguments, **options):
        for i, chunk in enumerate(whole(*arguments, **options)):
            if i == chunks:
                raise KeyboardInterrupt
            yield chunk

    monkeypatch.setattr(_reading.PuzzleFiles, "chunks", some)


def test_the_cache_changes_nothing_but_the_time(tmp_path):
    bank, cache = tmp_path / "bank.txt", tmp_path / "ratings.sqlite"
    bank.write_text("\n".join(puzzle.text for puzzle in EXAMPLES[:8]))
    found = [run("rate", bank, "--runs", 2, "-f", "csv", "--cache", cache).stdout for _ in range(2)]
    assert found[0] == found[1] == run("rate", bank, "--runs", 2, "-f", "csv").stdout


@pytest.mark.thorough
def test_processes_change_nothing(tmp_path, monkeypatch):
    path = tmp_path / "bank.txt"
    path.write_text("\n".join(made.puzzle.text for made in generate(SudokuSource(), 70, seed=0)))
    for name, many in (("threads", 1 << 30), ("processes", 0)):
        monkeypatch.setattr(_rate, "MANY", many)
        assert (
            run("rate", path, "--jobs", 2, "--runs", 2, "-o", tmp_path / f"{name}.csv").exit_code
            == 0
        )
    assert (tmp_path / "threads.csv").read_bytes() == (tmp_path / "processes.csv").read_bytes()


# Columns of the puzzles' own file


TABLE = 'id;Grade;puzzle;note\n007;A;{};"x;y"\n8;B;11.;z\n9;C;{}\n'


@pytest.fixture
def named(tmp_path):
    path = tmp_path / "named.csv"
    texts = [puzzle.text for puzzle in NINES]
    path.write_text(TABLE.format(*texts[:2]))
    return path


def written(path):
    frame = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, dtype=str)
    return frame.astype(object).where(frame.notna(), None)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_output_keeps_the_columns_of_its_input(named, tmp_path, suffix):
    output = tmp_path / f"out.{suffix}"
    assert run("rate", named, "-o", output).exit_code == 1
    frame = written(output)
    assert list(frame)[-4:] == ["file", "id", "Grade", "note"]
    assert frame.id.tolist() == ["007", "8", "9"]
    assert frame.note.tolist() == ["x;y", "z", None]
    assert frame.error.notna().tolist() == [False, True, False]
    assert frame.grade.notna().tolist() == [True, False, True]


def test_every_source_of_columns_is_kept(named, tmp_path):
    piped = rows("rate", stdin=named.read_text(), exit_code=1)
    assert piped[0]["note"] == "x;y"
    solved = rows("solve", named, exit_code=1)
    assert [row["id"] for row in solved] == ["007", "8", "9"]
    good = EXAMPLES[0].text
    lines = tmp_path / "lines.jsonl"
    lines.write_text(f'{{"id": 7, "puzzle": "{good}", "grade": "A", "marks": [1]}}\n')
    listed = tmp_path / "listed.json"
    listed.write_text(f'[{{"id": 7, "puzzle": "{good}", "grade": "A"}}, {{"puzzle": "{good}"}}]')
    output = tmp_path / "out.jsonl"
    assert run("rate", lines, listed, "-o", output).exit_code == 0
    first, second, third = map(json.loads, output.read_text().splitlines())
    assert (first["id"], first["input_grade"], first["grade"]) == (7, "A", second["grade"])
    assert (second["id"], third["id"], third["input_grade"]) == (7, None, None)
    assert run("rate", lines, "-o", tmp_path / "out.parquet").exit_code == 0
    assert written(tmp_path / "out.parquet").id.tolist() == ["7"]


def test_parquet_is_read_with_its_types(tmp_path):
    source, output = tmp_path / "bank.parquet", tmp_path / "out.parquet"
    texts = [puzzle.text for puzzle in NINES]
    frame = pd.DataFrame(
        {
            "number": [1, 2**60, 3],
            "share": [0.1, float("nan"), 1e-300],
            "is_new": [True, None, False],
            "day": pd.to_datetime(["2026-01-02"] * 3),
            "puzzle": [texts[0], "no puzzle", texts[1]],
            "says": ['a, "b"', "c\nd", None],
        }
    )
    frame.to_parquet(source)
    assert run("rate", source, "-o", output).exit_code == 1
    found = pd.read_parquet(output)
    assert found.line.tolist() == [1, 2, 3]
    assert found.number.tolist() == [1, 2**60, 3]
    assert found.share.tolist()[::2] == [0.1, 1e-300]
    assert found.share.isna().tolist() == [False, True, False]
    assert found.is_new.tolist() == [True, None, False]
    assert found.day[0] == "2026-01-02 00:00:00"
    assert found.says.tolist()[:2] == ['a, "b"', "c d"]
    assert found.puzzle.tolist()[::2] == texts[:2]
    alone = rows("solve", "--kind", "sudoku", stdin=source.read_bytes(), exit_code=1)
    assert alone[0]["number"] == "1"
    assert run("convert", source, "--to", "line").stdout.split() == texts[:2]


def test_columns_are_kept_in_parts_and_when_a_run_resumes(named, tmp_path, monkeypatch):
    other = tmp_path / "other.csv"
    other.write_text(f"puzzle,rank\n{EXAMPLES[3].text},5\n")
    assert run("rate", named, other, "-o", tmp_path / "parts").exit_code == 1
    frame = pd.read_parquet(tmp_path / "parts")
    assert frame.id.tolist()[:3] == ["007", "8", "9"]
    assert frame["rank"].isna().tolist() == [True, True, True, False]
    monkeypatch.setattr(_reading, "CHUNK", 1)  # 16 puzzles at a time
    named.write_text(named.read_text() + "10;D;no puzzle;\n" * 20)
    whole, cut = tmp_path / "whole.csv", tmp_path / "cut.csv"
    assert run("rate", named, "-o", whole).exit_code == 1
    with monkeypatch.context() as patched:
        interrupt_after(patched, 1)
        assert run("rate", named, "-o", cut).exit_code == 130
    assert run("rate", named, "-o", cut, "--resume").exit_code == 1
    assert cut.read_bytes() == whole.read_bytes()
    with monkeypatch.context() as patched:
        interrupt_after(patched, 1)
        run("rate", named, "-o", cut)
    named.write_text(named.read_text().replace("007", "07"))
    refused = run("rate", named, "-o", cut, "--resume")
    assert "'07' was '007' when the run to resume began" in refused.stderr
