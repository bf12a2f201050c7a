"""Banks: a rating is that of the puzzle's class, wherever and however the puzzle comes."""

import sqlite3

import numpy as np
import pytest
from helpers.samples.sudokus import EXAMPLES
from helpers.samples.variant_samples import TEXTS

from nando.features.classes import classes_of
from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.puzzles.variants.puzzle import TURNS, apply_turn
from nando.rating import Bank, RatingCache, load_model

PUZZLES = EXAMPLES[:6]
RATER = load_model()


def bank(**options):
    return Bank(RATER, runs=4, **options)


def test_equivalent_puzzles_share_a_rating_and_are_computed_once():
    rng = np.random.default_rng(0)
    several = [puzzle.shuffled(rng) for puzzle in PUZZLES for _ in range(3)]
    one = bank()
    rated = one.rate(several)
    assert one.computed == len(PUZZLES)
    times = np.array([rating.predicted for rating in rated]).reshape(-1, 3)
    assert (times == times[:, :1]).all()
    assert len(np.unique(times)) == len(PUZZLES)
    again = one.rate(PUZZLES)
    assert one.computed == len(PUZZLES)
    assert [rating.predicted for rating in again] == times[:, 0].tolist()


def test_a_rating_depends_on_neither_place_nor_parts_nor_jobs():
    whole = bank().rate(PUZZLES)
    assert bank(n_jobs=2).rate(PUZZLES[::-1])[::-1] == whole
    parts = bank()
    assert parts.rate(PUZZLES[:2]) + parts.rate(PUZZLES[2:]) == whole


def test_ratings_are_those_of_the_model_itself():
    assert Bank(RATER).rate(PUZZLES) == RATER.rate(PUZZLES)


def test_the_cache_serves_repeats_of_the_same_settings_only(tmp_path):
    path = tmp_path / "ratings.sqlite"
    first = bank()
    with RatingCache(path, first.identity()) as first.cache:
        fresh = first.rate(PUZZLES)
    repeated = bank()
    with RatingCache(path, repeated.identity()) as repeated.cache:
        assert fresh == repeated.rate(PUZZLES)
        assert repeated.computed == 0
    other = Bank(RATER, runs=5)
    with RatingCache(path, other.identity()) as other.cache:
        other.rate(PUZZLES)
        assert other.computed == len(PUZZLES)


def test_two_processes_may_write_the_same_cache(tmp_path):
    path = tmp_path / "ratings.sqlite"
    identity = bank().identity()
    with RatingCache(path, identity) as one, RatingCache(path, identity) as two:
        one.write({"a": np.array([1.0, 2.0])})
        two.write({"a": np.array([1.0, 2.0]), "b": np.array([3.0])})
        assert {key: row.tolist() for key, row in one.read(["a", "b", "c"]).items()} == {
            "a": [1.0, 2.0],
            "b": [3.0],
        }


def test_a_full_disk_loses_one_write_and_no_more(tmp_path):
    """SQLite is refused more pages, as on a full disk, and granted them later."""
    path = tmp_path / "ratings.sqlite"
    rows = {f"class {i}": np.arange(300.0) for i in range(40)}
    with RatingCache(path, {}) as cache:
        cache.write({"first": np.array([1.0])})
        pages = cache._file.execute("PRAGMA page_count").fetchone()[0]
        cache._file.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(OSError, match=r"ratings.sqlite: database or disk is full; free it, or"):
            cache.write(rows)
        assert not cache.read([*rows])
        cache.write({"second": np.array([2.0])})
        cache._file.execute("PRAGMA max_page_count = 1000000")
        cache.write(rows)
        assert cache.read(["first", "second", "class 39"]).keys() == {
            "first",
            "second",
            "class 39",
        }
    with RatingCache(path, {}) as cache:
        assert len(cache.read([*rows, "first", "second"])) == 42


def test_an_interrupted_write_is_undone(tmp_path):
    def broken():
        yield "a", np.array([1.0])
        raise KeyboardInterrupt

    class Columns(dict):
        def items(self):
            return broken()

    with RatingCache(tmp_path / "ratings.sqlite", {}) as cache:
        with pytest.raises(KeyboardInterrupt):
            cache.write(Columns())
        assert not cache.read(["a"])
        cache.write({"a": np.array([2.0])})
        assert cache.read(["a"])["a"] == 2.0


@pytest.mark.parametrize(
    "content", [b"no cache at all" * 100, b"SQLite format 3\0" + b"\1" * 200, "other tables"]
)
def test_a_file_that_is_no_cache_is_refused(tmp_path, content):
    path = tmp_path / "ratings.sqlite"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with sqlite3.connect(path) as file:
            file.execute("CREATE TABLE columns (x INTEGER)")
    with pytest.raises(ValueError, match="not a cache of ratings"):
        RatingCache(path, {})


def test_classes_are_canonical_texts_or_the_puzzle_itself():
    rng = np.random.default_rng(1)
    assert len(set(classes_of([PUZZLES[0], PUZZLES[0].shuffled(rng)]))) == 1
    small = Nurikabe("2..../...3./...../.2.../....2")
    assert classes_of([small]) == [small.text]
    large = Sudoku("1" + "." * 255)
    assert classes_of([large]) == [large.text]


def test_turned_variants_share_a_class_and_a_rating():
    puzzle = Variant(
        "...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4"
    )
    turns = [Variant._of(apply_turn(puzzle._content, turn)) for turn in TURNS]
    assert len(set(turns)) == len(TURNS)
    assert len(set(classes_of(turns))) == 1
    whole = Bank(load_model(kind="variant"))
    assert len({rating.predicted for rating in whole.rate(turns)}) == 1
    assert whole.computed == 1
    other = Variant(puzzle.text.replace(":5", ":6"))
    assert classes_of([other]) != classes_of([puzzle])
    for text in TEXTS:
        sample = Variant(text)
        images = [Variant._of(apply_turn(sample._content, turn)) for turn in TURNS]
        assert len(set(classes_of(images))) == 1, text
