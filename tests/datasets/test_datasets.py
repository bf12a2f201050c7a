"""Loaders: one contract over all of them, and honest errors."""

import hashlib
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.data import needs
from helpers.oracles.singles import Grid

from nando import datasets
from nando.datasets import DATASETS, DataFile, DataNotFoundError, DataSet, fill_times
from nando.datasets.base import Download
from nando.datasets.times import read_game
from nando.puzzles import Puzzle, Sudoku
from nando.solvers import count_many, count_solutions, solve
from nando.stages import watched

LARGE = {"killer_books", "nurikabe_janko", "sudoku_insight", "sudoku_variants"}
"""Data sets that take seconds to read."""
EVERY = [
    pytest.param(name, marks=[needs(name), *([pytest.mark.thorough] if name in LARGE else [])])
    for name in DATASETS
]


@pytest.mark.parametrize("name", EVERY)
def test_contract(name):
    data_set, loader = DATASETS[name]
    data = loader(as_frame=True)
    assert len(data.puzzles) == len(data.target) == len(data.frame) > 10
    assert all(isinstance(puzzle, Puzzle) for puzzle in data.puzzles)
    assert data.target.dtype == np.float64
    assert data.DESCR.startswith("# ")
    assert "Licence" in data.DESCR
    assert data.provenance["licence"] == data_set.licence
    assert all((data.provenance["commit"] or "") in (f.address or "") for f in data_set.files)
    assert isinstance(data.frame, pd.DataFrame)
    assert (data.frame["puzzle"] == [puzzle.text for puzzle in data.puzzles]).all()
    puzzles, target = loader(return_X_y=True)
    assert puzzles == data.puzzles
    assert np.array_equal(target, data.target, equal_nan=True)


def test_a_frame_is_made_on_request_only():
    assert datasets.load_examples().frame is None


def test_examples_are_unique_and_of_every_order():
    puzzles = datasets.load_examples().puzzles
    assert count_many(puzzles).tolist() == [1] * len(puzzles)
    assert {puzzle.order for puzzle in puzzles} == {3, 4, 5}
    assert len({puzzle.equivalence_key() for puzzle in puzzles}) == len(puzzles)


def _singles_suffice(puzzle):
    board = puzzle.givens.copy()
    while ways := Grid(board.tolist()).ways():
        for cell, found in ways.items():
            board[cell] = found[0][1]
    return puzzle.is_solution(board)


def _is_minimal(puzzle):
    spared = []
    for cell in np.flatnonzero(puzzle.givens):
        values = puzzle.givens.copy()
        values[cell] = 0
        spared.append(Sudoku.from_values(values))
    return (count_many(spared) > 1).all()


def test_notes_of_the_examples_are_true():
    data = datasets.load_examples(as_frame=True)
    for puzzle, note in zip(data.puzzles, data.frame["note"].str.split("; "), strict=True):
        assert ("minimal" in note) == _is_minimal(puzzle)
        if puzzle.order == 3:
            assert ("singles suffice" in note) == _singles_suffice(puzzle)
            assert ("singles do not suffice" in note) != _singles_suffice(puzzle)


def test_the_file_of_example_puzzles_is_of_the_examples():
    file = Path(__file__).parent.parent.parent / "examples" / "puzzles.txt"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == len(set(lines)) == 12
    assert set(lines) <= {puzzle.text for puzzle in datasets.load_examples().puzzles}


@needs("cloud_sudoku")
def test_cloud_sudoku_as_published():
    data = datasets.fetch_cloud_sudoku(as_frame=True)
    assert len(data.puzzles) == 1533
    assert (data.weight.min(), data.weight.max()) == (10, 43)
    assert np.median(data.target) == 355
    assert count_many(data.puzzles).tolist() == [1] * 1533
    by_time = datasets.fetch_cloud_sudoku(target="D_TO")
    assert len(by_time.puzzles) == 344
    assert set(by_time.puzzles) <= set(data.puzzles)
    times = dict(zip(data.puzzles, data.target, strict=True))
    same = pd.Series([times[puzzle] for puzzle in by_time.puzzles])
    assert same.corr(pd.Series(by_time.target), method="spearman") == pytest.approx(0.76, abs=0.01)
    with pytest.raises(ValueError, match="target must be 'mean_seconds'"):
        datasets.fetch_cloud_sudoku(target="seconds")


@needs("sudoku_exchange", file="sample.txt")
def test_the_sample_of_sudoku_exchange():
    data = datasets.fetch_sudoku_exchange(bucket="sample")
    assert len(data.puzzles) == 3113
    assert (data.target.min(), data.target.max()) == (1.2, 9.3)
    assert count_many(data.puzzles).tolist() == [1] * 3113


@needs("sudoku_insight")
def test_sudoku_insight_as_published():
    data = datasets.fetch_sudoku_insight(as_frame=True)
    assert len(data.puzzles) == 1235
    assert data.problems == []
    assert data.frame["completed"].all()
    events = data.events
    assert list(events) == ["game", "puzzle", "t_ms", "trail", "cell", "value"]
    assert (events["puzzle"].astype(str) == events["game"].map(data.frame["puzzle"])).all()
    assert (events.groupby("game")["t_ms"].min() == data.frame["first_ms"]).all()
    whole = data.frame[data.frame["completed"]]
    unique = [puzzle for puzzle in map(Sudoku, whole["puzzle"]) if count_solutions(puzzle) == 1]
    assert len(unique) == 1089
    game = int(whole["game"].iloc[0])
    puzzle = data.puzzles[game]
    times = fill_times(data.events[data.events["game"] == game], puzzle)
    assert np.isnan(times[puzzle.givens > 0]).all()
    assert np.isfinite(times[puzzle.givens == 0]).all()


# ---------------------------------------------------------------- files


def _set():
    digest = hashlib.sha256(b"abc").hexdigest()
    file = DataFile("file.txt", "https://example.invalid/file.txt", digest)
    return DataSet("made_up", "a set", "none", (file,))


def test_a_checked_file_is_found_in_the_named_folder(tmp_path, monkeypatch):
    (tmp_path / "made_up").mkdir()
    (tmp_path / "made_up" / "file.txt").write_bytes(b"abc")
    assert _set().path("file.txt", tmp_path).read_bytes() == b"abc"
    monkeypatch.setenv("NANDO_DATA", str(tmp_path))
    assert _set().path("file.txt").read_bytes() == b"abc"
    assert _set().is_available()


def test_offline_the_error_names_folder_variable_and_address(tmp_path, monkeypatch):
    import pooch

    def offline(**_):
        raise OSError("no network")

    monkeypatch.setattr(pooch, "retrieve", offline)
    with pytest.raises(DataNotFoundError) as caught:
        _set().path("file.txt", tmp_path)
    message = str(caught.value)
    assert str(tmp_path / "made_up") in message
    assert "NANDO_DATA" in message
    assert "https://example.invalid/file.txt" in message


def test_a_download_is_checked_and_kept(tmp_path, monkeypatch):
    import pooch

    def download(*, url, known_hash, fname, path, progressbar):
        assert known_hash == f"sha256:{hashlib.sha256(b'abc').hexdigest()}"
        path.mkdir(parents=True)
        (path / fname).write_bytes(b"abc")
        return str(path / fname)

    monkeypatch.setattr(pooch, "retrieve", download)
    assert _set().path("file.txt", tmp_path).read_bytes() == b"abc"
    assert _set().find("file.txt", tmp_path) is not None


def test_a_download_reports_progress():
    """Progress is reported as pooch fills a bar: the total, piece by piece, and full at the end."""
    shown = []

    @contextmanager
    def watcher(doing, total):
        shown.append((doing, total))
        yield shown.append
        shown.append("closed")

    for total, wanted in ((3, [("bytes of a.csv", 3), 2, 1, "closed"]), (0, [])):
        shown.clear()
        with watched(watcher):
            bar = Download("a.csv")
            bar.total = total
            bar.update(2)
            bar.update(1)
            bar.reset()
            bar.update(bar.total)
            bar.close()
        assert shown == wanted


# ---------------------------------------------------------------- rated bank

DIGITS = "008670402423000900037002000000040005089025106701000300000000900730003000520170503"


def _bank(tmp_path, digits=DIGITS, name=None, rating=" 1.2"):
    (tmp_path / "sudoku_exchange").mkdir()
    name = name or hashlib.sha1(digits.encode()).hexdigest()[:12]
    (tmp_path / "sudoku_exchange" / "easy.txt").write_text(f"{name} {digits} {rating}\n")
    return tmp_path


def test_a_published_bucket_says_where_it_is_from(tmp_path):
    data = datasets.fetch_sudoku_exchange(bucket="easy", data_home=_bank(tmp_path))
    assert data.target.tolist() == [1.2]
    assert data.puzzles[0] == DIGITS.replace("0", ".")
    (name, file), commit = *data.provenance["files"].items(), data.provenance["commit"]
    assert name == "easy.txt"
    assert file["address"].endswith(f"/sudoku-exchange-puzzle-bank/{commit}/easy.txt")


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        ({"name": "0123456789ab"}, r"easy.txt, line 1: hash is 0123456789ab, wanted"),
        ({"digits": DIGITS[1:]}, r"easy.txt, line 1: not 'hash puzzle rating' \(wrong length"),
        ({"rating": "hard"}, r"easy.txt, line 1: not 'hash puzzle rating'"),
    ],
)
def test_spoilt_lines_of_the_bank(tmp_path, spoilt, message):
    with pytest.raises(ValueError, match=message):
        datasets.fetch_sudoku_exchange(bucket="easy", data_home=_bank(tmp_path, **spoilt))


def test_the_sample_is_reported_to_be_unpublished(tmp_path):
    with pytest.raises(DataNotFoundError, match="never published by itself"):
        datasets.fetch_sudoku_exchange(bucket="sample", data_home=tmp_path)


UNPUBLISHED = ("sukaku_variants", "sudoku_6x6")


@pytest.mark.parametrize("name", UNPUBLISHED)
def test_tables_made_for_nando_have_no_address_and_say_so(name, tmp_path):
    data_set, fetch = DATASETS[name]
    assert [file.address for file in data_set.files] == [None]
    with pytest.raises(DataNotFoundError, match=name):
        fetch(data_home=tmp_path)


@pytest.mark.parametrize(
    "name", [name for name in DATASETS if name not in ("examples", *UNPUBLISHED)]
)
def test_every_data_set_can_be_fetched(name):
    """Each file has an address at the commit that the set names, and its page names the commit."""
    data_set, _ = DATASETS[name]
    assert data_set.files
    for file in data_set.files:
        assert file.address.startswith("https://raw.githubusercontent.com/")
        assert f"/{data_set.commit}/" in file.address
        assert file.address.endswith("/" + file.name)
    assert data_set.commit[:8] in data_set.description()


def test_an_unknown_bucket_is_refused():
    with pytest.raises(ValueError, match="bucket must be easy, medium"):
        datasets.fetch_sudoku_exchange(bucket="extreme")


# ---------------------------------------------------------------- move logs

PUZZLE = "..867.4.24.23...9.37..2.......4...5.89.251.67.1...3.......9..73.3...52.17.5.329.."


def test_moves_of_a_game():
    puzzle, moves = read_game(f'{PUZZLE}\t["100,-1,0,1","250,0,1,5","300,-1,0"]\t1,2\n')
    assert puzzle == PUZZLE
    assert moves == [(100, -1, 0, 1), (250, 0, 1, 5), (300, -1, 0, 0)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (PUZZLE, "1 columns, wanted puzzle and moves"),
        (f"{PUZZLE[1:]}\t[]", "wrong length: 80 symbols"),
        (f"{PUZZLE}\tx", "not a JSON list"),
        (f"{PUZZLE}\t5", "not a JSON list"),
        (f'{PUZZLE}\t{{"1,-1,0,1": 2}}', "not a JSON list"),
        (f'{PUZZLE}\t["-1,-1,0,1"]', "no such time or trail"),
        (f'{PUZZLE}\t["1,-2,0,1"]', "no such time or trail"),
        (f'{PUZZLE}\t["a,b"]', "move 1 is 'a,b': wanted"),
        (f'{PUZZLE}\t["{"9" * 5000}"]', r"^.{1,200}$"),
        (f'{PUZZLE}\t["1,-1,81,1"]', "no such cell or digit"),
        (f'{PUZZLE}\t["1,-1,0,10"]', "no such cell or digit"),
    ],
)
def test_spoilt_games(line, message):
    with pytest.raises(ValueError, match=message):
        read_game(line)


def test_fill_times_take_the_last_entry():
    puzzle = Sudoku(PUZZLE)
    solution = solve(puzzle)
    events = pd.DataFrame(
        [
            (1000, -1, 0, 9),
            (2000, -1, 0, int(solution[0])),
            (3000, -1, 1, 2),
            (4000, -1, 1, 0),
            (5000, 0, 5, 3),
        ],
        columns=["t_ms", "trail", "cell", "value"],
    )
    times = fill_times(events, puzzle)
    assert times[0] == 2
    assert np.isnan(times[1:]).all()
