"""The papers' numbers compared with measured ones: verdicts, resuming, report, command."""

import csv
import io
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from helpers.command import run
from helpers.samples.sudokus import ESCARGOT, LINE
from helpers.schemas import check

from nando.puzzles import Sudoku
from nando.reproduction import (
    EXPERIMENTS,
    Cell,
    Curve,
    Experiment,
    Findings,
    Published,
    Settings,
    Verdict,
    find_experiments,
    verdict,
)
from nando.reproduction import core as module
from nando.reproduction.core import Result, claims, compare, share_error
from nando.reproduction.registry import read_results, run_experiments
from nando.reproduction.report import counts, write_report
from nando.solvers import count_many


@pytest.mark.parametrize(
    ("measured", "error", "instances", "wanted"),
    [
        (0.5, 0.0, "same", Verdict.REPRODUCED),
        (0.6, 0.0, "same", Verdict.REPRODUCED),
        (0.61, 0.0, "same", Verdict.CONTRADICTED),
        (0.61, 0.01, "same", Verdict.TREND),
        (0.63, 0.01, "same", Verdict.CONTRADICTED),
        (0.39, 0.01, "same", Verdict.TREND),
        (0.5, 0.0, "other", Verdict.TREND),
        (0.9, 0.0, "other", Verdict.NOT_CHECKABLE),
        (0.5, 0.0, "order", Verdict.TREND),
        (0.9, 0.0, "order", Verdict.CONTRADICTED),
        (None, 0.0, "same", Verdict.NOT_CHECKABLE),
        (math.nan, 0.0, "same", Verdict.NOT_CHECKABLE),
    ],
)
def test_verdicts_follow_from_the_numbers(measured, error, instances, wanted):
    assert verdict(measured, error, Published(0.5, 0.4, 0.6, instances)) is wanted


def test_an_open_side_takes_all():
    assert verdict(1e9, 0.0, Published(None, 0.0)) is Verdict.REPRODUCED
    assert verdict(-1e-9, 0.0, Published(None, 0.0)) is Verdict.CONTRADICTED


def test_bad_intervals_and_kinds_are_refused():
    with pytest.raises(ValueError, match="low must be at most high, got 2 and 1"):
        Published(None, 2, 1)
    with pytest.raises(ValueError, match="instances must be"):
        Published(None, instances="similar")
    with pytest.raises(ValueError, match="effort must be one of quick, full, got 'some'"):
        Settings(effort="some")


def test_a_few_failures_are_not_certain():
    assert share_error(0.0, 10) == pytest.approx(share_error(1.0, 10))
    assert share_error(0.0, 10) > 0
    assert share_error(0.5, 100) == pytest.approx(0.05)


def test_the_same_generators_with_any_number_of_threads():
    def draw(item, rng):
        return item, rng.random()

    one = Settings(3, n_jobs=1).map("part", draw, list(range(8)))
    assert one == Settings(3, n_jobs=2).map("part", draw, list(range(8)))
    assert one[:4] == Settings(3).map("part", draw, list(range(4)))
    assert one != Settings(3).map("another", draw, list(range(8)))
    assert one != Settings(4).map("part", draw, list(range(8)))


def experiment(name, made):
    def measure(settings):
        made.append(name)
        found = settings.map(name, lambda _, rng: rng.random(), [0])[0]
        cells = [
            Cell("row", "column", Published.near(0.5, 0.5), np.float64(found), 0.1),
            Cell("row", "open", Published(None, 2.0), found),
            Cell("row", "gone", Published.lost("never published", 7.0)),
        ]
        return Findings("nothing", cells, [Curve("panel", "line", [0.0, 1.0], [1.0, 2.0])])

    return Experiment(name, "A paper, table 1", "A number.", measure)


def test_results_come_back_from_json():
    result = experiment("a", []).run(Settings(1))
    text = json.dumps(result.as_json(), allow_nan=False)
    assert Result.from_json(json.loads(text)) == result
    kept = replace(result, curves=[Curve("left", "line", [1.0], [math.nan])]).as_json()
    assert check("reproduction", kept)["curves"][0]["y"] == [None]
    assert math.isnan(Result.from_json(kept).curves[0].y[0])
    assert [cell["verdict"] for cell in json.loads(text)["cells"]] == [
        "reproduced",
        "contradicted",
        "not checkable",
    ]


def test_resuming_runs_only_missing_parts(tmp_path):
    made = []
    both = [experiment("a", made), experiment("b", made)]
    first = list(run_experiments(both[:1], Settings(), folder=tmp_path))
    found = list(run_experiments(both, Settings(), folder=tmp_path, resume=True))
    assert made == ["a", "b"]
    assert found[0] == first[0]
    assert read_results(both, tmp_path) == found


def test_other_settings_and_broken_files_are_run_again(tmp_path):
    made = []
    one = [experiment("a", made)]
    list(run_experiments(one, Settings(), folder=tmp_path))
    list(run_experiments(one, Settings(1), folder=tmp_path, resume=True))
    assert made == ["a"] * 2
    (tmp_path / "a.json").write_text('{"name": "a"', encoding="utf-8")
    list(run_experiments(one, Settings(1), folder=tmp_path, resume=True))
    assert made == ["a"] * 3
    list(run_experiments(one, Settings(1), folder=tmp_path))
    assert made == ["a"] * 4


def test_an_interrupted_run_keeps_what_was_done(tmp_path):
    def fail(settings):
        raise KeyboardInterrupt

    both = [experiment("a", []), Experiment("b", "", "", fail)]
    with pytest.raises(KeyboardInterrupt):
        list(run_experiments(both, Settings(), folder=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_the_report_has_every_result(tmp_path):
    one = experiment("a", [])
    result = one.run(Settings(5))
    write_report([one, experiment("b", [])], [result], tmp_path, figures=False)
    page = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert "Not run yet: b." in page
    assert "Seed 5. Versions: nando" in page
    assert "| row | gone | 7 |  |  | not checkable | never published |" in page
    assert "2 to any" in page
    assert "**contradicted**" in page
    with (tmp_path / "cells.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["reproduced", "contradicted", "not checkable"]
    assert counts(result)[Verdict.REPRODUCED] == 1


def test_figures_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (nando[plot])")
    one = experiment("a", [])
    result = one.run(Settings())
    write_report([one], [result], tmp_path, figures=True)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "![A number.](a.png)" in (tmp_path / "index.md").read_text(encoding="utf-8")


def test_every_experiment_of_the_papers_is_there():
    names = [each.name for each in EXPERIMENTS]
    assert len(set(names)) == len(names) == 14
    assert {f"reseda-table{i}" for i in range(1, 6)} < set(names)
    assert [each.name for each in find_experiments(["soto", "cunha"])] == ["cunha", "soto"]


def test_cunhas_tables_have_the_printed_means():
    shares = {}
    for (row, column), claim in claims("cunha").items():
        if "list of" in row:
            place = row.partition(",")[0], column.partition(",")[0]
            shares.setdefault(place, []).append(claim.value)
    means = np.array([np.mean(values) for values in shares.values()]).reshape(4, 2)
    printed = [[58, 95], [32, 12], [37, 13], [2, 1]]
    assert np.abs(means - printed).max() <= 0.5


def test_a_measurement_without_a_claim_is_a_mistake():
    with pytest.raises(KeyError, match="soto makes no claim"):
        compare("soto", {("all 46", "puzzles"): 1.0})


def test_missing_values_have_a_reason():
    cells = compare("lewis-table1", {}, missing={"Royle": "not at hand"})
    reasons = {cell.row: cell.published.reason for cell in cells}
    assert reasons["Royle, 17 givens"] == "not at hand"
    assert "newspaper" in reasons["newspaper, order 3, tough"]
    assert {cell.published.value for cell in cells} >= {0.01, 0.99}


def test_the_benchmark_has_46_puzzles_with_one_solution():
    puzzles = module.benchmark()
    assert len(puzzles) == 46
    assert (count_many(list(puzzles.values())) == 1).all()
    assert puzzles["s16"] == ESCARGOT


def test_without_data_nothing_is_claimed(monkeypatch, tmp_path):
    monkeypatch.setenv("NANDO_DATA", str(tmp_path))
    monkeypatch.setattr(module.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr("nando.reproduction.core.human_times", _absent)
    for name in ("lewis-table1", "reseda-table4", "thesis-correlations", "dependency-by-k"):
        result = find_experiments([name])[0].run(Settings())
        assert {cell.verdict for cell in result.cells} == {Verdict.NOT_CHECKABLE}
        assert all(cell.published.reason for cell in result.cells)


def _absent(name, most):
    raise module.datasets.DataNotFoundError(f"the data set {name} is not at hand")


def test_generated_puzzles_are_read_from_the_data_folder(monkeypatch, tmp_path):
    (tmp_path / "debian_sudoku").mkdir()
    (tmp_path / "debian_sudoku" / "very_easy.txt").write_text(f"{LINE}\n{LINE}\n", encoding="utf-8")
    monkeypatch.setenv("NANDO_DATA", str(tmp_path))
    assert module.debian("very easy", 1) == [Sudoku(LINE)]


def test_the_generators_output_is_read(monkeypatch):
    page = "% randomly generated - easy\n" + "".join(
        f"{LINE[i : i + 9]}\n" for i in range(0, 81, 9)
    )
    monkeypatch.delenv("NANDO_DATA", raising=False)
    monkeypatch.setattr(module.shutil, "which", lambda *_, **__: "sudoku")
    done = type("Done", (), {"stdout": page + "\n" + page})
    monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: done)
    assert module.debian("easy", 5) == [Sudoku(LINE)] * 2


@pytest.fixture
def tiny(monkeypatch):
    """Limit the command to one quick experiment."""
    made = []
    one = experiment("a", made)
    monkeypatch.setattr("nando.reproduction.registry.EXPERIMENTS", (one,))
    return made


def test_the_command_writes_a_report_and_resumes(tmp_path, tiny):
    folder = tmp_path / "report"
    found = run("reproduce", "a", "-o", folder)
    assert found.exit_code == 0, found.output
    assert "contradicted" in found.stdout
    names = {path.name for path in folder.iterdir()}
    assert {"index.md", "cells.csv", "a.json"} <= names
    assert run("reproduce", "--all", "-o", folder, "--resume").stdout == found.stdout
    assert tiny == ["a"]


def test_the_command_writes_cells(tmp_path, tiny):
    found = run("reproduce", "a", "-f", "csv", "--seed", 2)
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert [row["verdict"] for row in rows] == ["reproduced", "contradicted", "not checkable"]
    assert run("reproduce", "a", "-o", tmp_path / "x.json", "--seed", 2).exit_code == 0
    cells = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert cells[0]["measured"] == float(rows[0]["measured"])
    assert cells[1]["high"] is None


def test_the_experiments_are_listed():
    rows = list(csv.DictReader(io.StringIO(run("reproduce", "--list", "-f", "csv").stdout)))
    assert [row["experiment"] for row in rows] == [each.name for each in EXPERIMENTS]
    assert all(row["source"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name an experiment, or give --all"),
        (("soto", "--all"), "--all and soto contradict each other"),
        (("soto", "--list"), "--list and soto contradict each other"),
        (("--all", "--list"), "--all and --list contradict each other"),
        (("lewis",), "unknown experiment 'lewis'; known: lewis-table1"),
        (("soto", "--resume"), "--resume needs the folder"),
        (("soto", "--resume", "-o", "x.csv"), "--resume needs the folder"),
    ],
)
def test_wrong_commands(arguments, message):
    found = run("reproduce", *arguments)
    assert found.exit_code == 2
    assert message in found.stderr


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "report").write_text("", encoding="utf-8")
    found = run("reproduce", "soto", "-o", tmp_path / "report")
    assert found.exit_code == 2
    assert "a report needs a folder, and this is a file" in found.stderr


@pytest.mark.thorough
def test_a_real_experiment_from_end_to_end(monkeypatch):
    puzzles = {name: module.benchmark()[name] for name in ("s01a", "s03a", "s16")}
    monkeypatch.setattr("nando.reproduction.soto.benchmark", lambda: puzzles)
    monkeypatch.setattr("nando.reproduction.soto._EASY", ("s01",))
    result = find_experiments(["soto"])[0].run(Settings())
    verdicts = {(cell.row, cell.column): cell.verdict for cell in result.cells}
    assert verdicts["AI Escargot, first box", "candidates before"] is Verdict.REPRODUCED
    assert verdicts["AI Escargot, first box", "candidates of blanks after"] is Verdict.REPRODUCED
    assert verdicts["table 1", "all numbers"] is Verdict.NOT_CHECKABLE
    assert result == Result(
        **{
            **find_experiments(["soto"])[0].run(Settings(n_jobs=2)).__dict__,
            "seconds": result.seconds,
        }
    )
