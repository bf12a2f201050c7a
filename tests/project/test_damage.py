"""Every file that is read, damaged in every way: one clear error, never a wrong answer."""

import bz2
import gzip
import hashlib
import json
import lzma
import sqlite3
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from fuzz.readers import TARGETS
from fuzz.targets.files import LOG_SUFFIXES
from helpers.sampled import only
from helpers.samples.sudokus import LINE, NINES

from nando.books import read_book
from nando.cli.stream import Journal
from nando.datasets import DataFile, DataSet, fetch_nurikabe, janko
from nando.games import Auditor, load_auditor, load_fill_order
from nando.games.log import read_games
from nando.puzzles import Nurikabe, PuzzleError, Sudoku, Variant, read_puzzles
from nando.puzzles.files import MOST_BYTES, parse_json, parse_toml, read_text
from nando.rating import RatingCache, load_model
from nando.rating.fitting.training import read_times

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "nando" / "models"
LINES = "\n".join(puzzle.text for puzzle in NINES).encode()


def whole(source, kind=Sudoku):
    """Return the puzzles of a file in which every line must be one."""
    entries = list(read_puzzles(source, kind))
    assert all(entry.puzzle is not None for entry in entries)
    if not entries:
        raise ValueError(f"{source}: no puzzles")
    return entries


def games_of(path):
    log = read_games(path)
    if log.problems or not log.games:
        raise ValueError(f"{path}: {(log.problems or ['no games'])[0]}")
    return log


def read_nurikabe(path):
    data = fetch_nurikabe(path=path)
    if data.problems or not data.puzzles:
        raise ValueError(f"{path}: {(data.problems or ['no games'])[0]}")
    return data


MANIFEST = TARGETS["manifest"].seeds()[0]
NURIKABE_LOG = bz2.compress(TARGETS["published"].seeds()[0][1:].replace(b";2600,0", b""))
# Each reader with the name and the contents of a valid file.
READERS = {
    "lines": ("p.txt", LINES, whole),
    "gzip": ("p.txt.gz", gzip.compress(LINES), whole),
    "bzip2": ("p.txt.bz2", bz2.compress(LINES), whole),
    "xz": ("p.txt.xz", lzma.compress(LINES), whole),
    "CSV": ("p.csv", b"id,puzzle\n1," + LINE.encode(), whole),
    "Nurikabe": ("n.json", b'{"problem": [[2, 0, 0]]}', lambda path: whole(path, Nurikabe)),
    "model": ("m.json", (MODELS / "crowds.json").read_bytes(), load_model),
    "looks": ("m.json", (MODELS / "nurikabe_looks.json").read_bytes(), load_model),
    "orders": ("o.json", (MODELS / "fill_order_nurikabe.json").read_bytes(), load_fill_order),
    "auditor": ("a.json", (MODELS / "fill_order.json").read_bytes(), load_auditor),
    "manifest": ("book.json", MANIFEST, read_book),
    "times": (
        "times.csv",
        f"puzzle,seconds,players\n{LINE},300,12\n".encode(),
        lambda path: read_times(path, "sudoku"),
    ),
    **{
        f"log {suffix}": (f"log{suffix}", seed[1:], games_of)
        for suffix, seed in zip(LOG_SUFFIXES, TARGETS["games"].seeds(), strict=True)
    },
    "published Nurikabe": ("n.jsonl.bz2", NURIKABE_LOG, read_nurikabe),
}
DEEP = b"[" * 200_000

SPOILT = {
    "empty": b"",
    "blank": b"\n \n",
    "NUL": b"\0" * 100,
    "not UTF-8": b"caf\xe9 \xff\xfe" * 10,
    "UTF-16": "puzzle,seconds\n1,2".encode("utf-16"),
    "Parquet": b"PAR1\x15\x04\x15\0" * 5,
    "pickle": b"\x80\x04\x95\x1f\0\0\0\0\0\0\0\x8c\x05posix\x8c\x06system\x93\x8c\x04true\x85R.",
    "deep": DEEP,
    "deep objects": b'{"a":' * 50_000,
    "huge number": b"[" + b"9" * 10_000 + b"]",
    "null": b"null",
    "a number": b"17",
    "a list": b"[[], {}, 3]",
    "strange object": b'{"format": {"a": []}, "book": 1, "sections": 7}',
    "huge line": b"x" * 3_000_000,
    "huge quoted field": b'puzzle,seconds,game,t_ms,cell,value\n"' + b"x" * 200_000,
}


def check_error(error, path):
    """Check that the error is short and names the file."""
    message = str(error)
    assert not isinstance(error, UnicodeDecodeError)
    assert str(path) in message
    assert len(message) < 800
    assert "\n" not in message


def refused(read, path):
    with pytest.raises((ValueError, OSError)) as caught:
        read(path)
    check_error(caught.value, path)


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("reader", READERS)
def test_other_content_is_one_clear_error(tmp_path, reader, how):
    name, _, read = READERS[reader]
    content = SPOILT[how]
    path = written(tmp_path, name, bz2.compress(content) if reader.startswith("pub") else content)
    if read is whole or reader == "Nurikabe":
        # Readers of text return entries, each a puzzle or an error.
        try:
            entries = list(read_puzzles(path, Nurikabe if reader == "Nurikabe" else Sudoku))
        except ValueError as error:
            check_error(error, path)
        else:
            assert all(entry.puzzle or 0 < len(entry.error) < 800 for entry in entries)
            assert reader == "Nurikabe" or not any(entry.puzzle for entry in entries)
    else:
        refused(read, path)


@pytest.mark.parametrize("reader", READERS)
def test_a_folder_or_nothing_in_its_place(tmp_path, reader):
    name, _, read = READERS[reader]
    refused(read, tmp_path / name)
    (tmp_path / name).mkdir()
    refused(read, tmp_path / name)


def identity(found):
    """Return what two objects that were read have in common if their contents are equal."""
    if hasattr(found, "events"):
        return found.puzzles, found.events.to_csv()
    return found.model_id.rpartition("-")[2] if hasattr(found, "model_id") else found


JUDGED = {"model", "looks", "orders", "auditor", "gzip", "bzip2", "xz", "published Nurikabe"}
"""Forms with a checksum or a hash: what is read of them is what was written."""


@pytest.mark.parametrize("reader", READERS)
def test_cut_and_flipped_files(tmp_path, reader):
    """A truncated or altered file is refused, or read as a valid file of its format."""
    name, content, read = READERS[reader]
    sound = read(written(tmp_path, name, content))
    rng = np.random.default_rng(0)
    places = np.linspace(0, len(content) - 2, 12).astype(int).tolist()
    spoilt = [content[:place] for place in places]
    for place in rng.integers(0, len(content), 10).tolist():
        spoilt += [
            content[:place] + bytes([byte]) + content[place + 1 :]
            for byte in (content[place] ^ 1, content[place] ^ 0x80, 0)
        ]
    n_refused = 0
    for damaged in spoilt:
        path = written(tmp_path, name, damaged)
        try:
            found = read(path)
        except (ValueError, OSError) as error:
            check_error(error, path)
            n_refused += 1
        except AssertionError:
            assert reader not in JUDGED  # a changed line may belong to another game
            n_refused += 1
        else:
            # gzip's header and a model's provenance do not affect the contents.
            assert reader not in JUDGED or identity(sound) == identity(found)
    assert n_refused > len(spoilt) // 4


# ---------------------------------------------------------------- models

TIMES = json.loads((MODELS / "crowds.json").read_text())
ORDERS = json.loads((MODELS / "fill_order.json").read_text())


def changed(record, way, value):
    """Return a copy with another value at the end of a path of keys."""
    copy = record.copy()
    *outer, last = way
    inner = copy
    for key in outer:
        inner[key] = inner[key].copy()
        inner = inner[key]
    if value is DROP:
        del inner[last]
    else:
        inner[last] = value
    return copy


DROP = object()
STRANGE = (None, "x", [], {}, True, -1, 10**400, [[1.0]], ["x"], DROP)
USUAL = ("x", {}, DROP)
"""Those that the default run tries."""


def ways(record, depth=3, before=()):
    for key, value in record.items():
        yield (*before, key)
        if isinstance(value, dict) and depth > 1:
            yield from ways(value, depth - 1, (*before, key))


def is_refused(build, record):
    """Return True if a record is refused in one sentence; fail on any other exception."""
    try:
        build(record)
    except ValueError as error:
        message = str(error)
        assert 0 < len(message) < 500
        assert "\n" not in message
        return True
    return False


@pytest.mark.parametrize("value", only(USUAL, STRANGE), ids=lambda value: repr(value)[:9])
def test_every_key_of_a_model_with_strange_values(value):
    from nando.rating import Rater

    for way in ways(TIMES):
        spoilt = json.dumps(changed(TIMES, way, value))
        if way[0] != "provenance" or len(way) == 1:
            assert is_refused(Rater.from_json, spoilt) or json.loads(spoilt) == TIMES, way


@pytest.mark.parametrize("value", only(USUAL, STRANGE), ids=lambda value: repr(value)[:9])
def test_every_key_of_an_auditor_with_strange_values(value):
    for way in ways(ORDERS, depth=4):
        if way[0] != "provenance" and way[2:3] not in (("10",), ("20",), ("30",)):
            assert is_refused(Auditor.from_json, json.dumps(changed(ORDERS, way, value))), way


@pytest.mark.parametrize(
    ("way", "value", "message"),
    [
        (("scale", "slope"), "steep", "scale.slope must be a number, got 'steep'"),
        (("scale", "slope"), 10**400, "scale: slope must be a finite number"),
        (("scale", "weights"), [1.0], "weights must be 10 numbers, one for each part"),
        (("scale", "crowds", "phone", "deviations"), [1.0], "deviations of phone must be 10"),
        (("missed", "", "base"), -1.0, r"missed\[''\]: base must be above 0, got -1"),
        (("missed", "", "quantiles"), [1.0], "quantiles must be 201 numbers, got 1"),
        (("reach", "log_difficulty"), [3.0] * 7, "log_difficulty must be 101 numbers"),
        (("reach", "log_difficulty"), [*range(100), 1], "log_difficulty must not fall"),
        (("reach", "orders"), ["3"], r"reach.orders\[1\] must be a whole number"),
        (("parts", "chains"), {}, "its parts are not those of this version of nando"),
        (("crowd",), "nobody", "it has no errors for the crowd 'nobody'"),
        (("features", "groups"), ["none such"], "none such"),
        (("features", "random_state"), -3, "random_state must be at least 0, got -3"),
        (("settings", "coverage"), 80, "coverage must be between 0 and 1, got 80"),
        (("settings", "colour"), 1, "settings.colour is not a setting"),
        (("format",), "nando model 9", "format 'nando model 9', wanted"),
        (("provenance",), DROP, "it has no 'provenance'; fit it again"),
        (("reach",), DROP, "no reach: a model needs it; fit it again"),
    ],
)
def test_models_say_what_is_wrong(way, value, message):
    from nando.rating import Rater

    text = json.dumps(changed(TIMES, way, value))
    with pytest.raises(ValueError, match=message):
        Rater.from_json(text)


# ---------------------------------------------------------------- the manifest of a book


@pytest.mark.thorough
def test_every_key_of_a_manifest_with_strange_values(tmp_path):
    record = json.loads(MANIFEST)
    row = record["sections"][0]["records"][0]
    for value in STRANGE:
        for way in (*ways(record), *(("sections", 0, "records", 0, key) for key in row)):
            text = json.dumps(changed(record, way, value))
            path = written(tmp_path, "book.json", text.encode())
            try:
                book = read_book(path)
                assert book.n_pages
            except ValueError as error:
                check_error(error, path)


# ---------------------------------------------------------------- the cache of ratings


def damaged_cache(path, damage):
    numbers = {"a": np.array([1.0, 2.0])}
    with RatingCache(path, {}) as cache:
        cache.write(numbers)
    file = sqlite3.connect(path)
    with file:
        damage(file)
    file.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE columns SET numbers = x'0011223344556677'",
        "UPDATE columns SET numbers = 'text'",
        "UPDATE columns SET numbers = 3.5",
        "UPDATE columns SET numbers = substr(numbers, 1, 16)",
        "UPDATE columns SET numbers = x''",
    ],
)
def test_a_row_of_the_cache_that_was_changed_is_no_rating(tmp_path, statement):
    path = tmp_path / "ratings.sqlite"
    damaged_cache(path, lambda file: file.execute(statement))
    with RatingCache(path, {}) as cache, pytest.raises(ValueError, match=r"ratings.sqlite: damag"):
        cache.read(["a"])


def test_a_row_of_another_class_is_no_rating(tmp_path):
    path = tmp_path / "ratings.sqlite"
    damaged_cache(path, lambda file: file.execute("UPDATE columns SET class = 'b'"))
    with RatingCache(path, {}) as cache:
        assert cache.read(["a"]) == {}
        with pytest.raises(ValueError, match="delete it; its ratings are computed again"):
            cache.read(["b"])


def test_flipped_bytes_of_a_cache(tmp_path):
    path = tmp_path / "ratings.sqlite"
    rows = {str(i): np.arange(20.0) + i for i in range(40)}
    with RatingCache(path, {}) as cache:
        cache.write(rows)
    content = path.read_bytes()
    rng = np.random.default_rng(1)
    for place in [*rng.integers(0, len(content), 60).tolist(), 18, 19, 24, 60]:
        damaged = bytearray(content)
        damaged[place] ^= 0x55
        path.write_bytes(damaged)
        try:
            with RatingCache(path, {}) as cache:
                for key, row in cache.read(list(rows)).items():
                    assert row.tolist() == rows[key].tolist()
        except (ValueError, OSError) as error:
            check_error(error, path)
        for name in ("-wal", "-shm", "-journal"):
            Path(f"{path}{name}").unlink(missing_ok=True)


def test_a_folder_in_the_place_of_the_cache(tmp_path):
    with pytest.raises(ValueError, match="not a cache of ratings"):
        RatingCache(tmp_path, {})


# ---------------------------------------------------------------- the journal

ROWS = [{"puzzle": LINE, "seconds": 100.5 + i} for i in range(12)]


def journal_of(folder):
    output = folder / "out.csv"
    journal = Journal(output, {"rate": 1}, resume=False)
    journal.add(ROWS)
    journal.close(done=False)
    return output, journal.path


def kept_rows(output):
    journal = Journal(output, {"rate": 1}, resume=True)
    rows = list(journal.rows())
    journal.close(done=False)
    return rows


def test_a_damaged_journal_keeps_the_rows_before_the_damage(tmp_path):
    output, path = journal_of(tmp_path)
    content = path.read_bytes()
    head = content.index(b"\n") + 1
    assert kept_rows(output) == ROWS
    for place in range(head, len(content), 31):
        for damaged in (
            content[:place],
            content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :],
            content[:place] + b"\0" * 50,
        ):
            path.write_bytes(damaged)
            rows = kept_rows(output)
            assert rows == ROWS[: content[head:place].count(b"\n")]


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"{}", b'{"nando": {"rate": 2}}\n'])
def test_a_journal_without_its_head(tmp_path, content):
    output, path = journal_of(tmp_path)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"out.csv.part belongs to a run with other options, or"):
        kept_rows(output)


def test_a_folder_in_the_place_of_the_journal(tmp_path):
    (tmp_path / "out.csv.part").mkdir()
    with pytest.raises(IsADirectoryError):
        kept_rows(tmp_path / "out.csv")


# ---------------------------------------------------------------- data sets


def test_half_a_data_file_is_refused(tmp_path):
    content = b"0123456789" * 100
    digest = hashlib.sha256(content).hexdigest()
    data_set = DataSet("made_up", "a set", "none", (DataFile("file.txt", None, digest),))
    (tmp_path / "made_up").mkdir()
    path = tmp_path / "made_up" / "file.txt"
    for damaged in (b"", content[:-1], content + b"\n", content.replace(b"5", b"6", 1)):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"file.txt: SHA-256 is \w+, wanted"):
            data_set.path("file.txt", tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(OSError, match=r"file.txt of made_up is not in"):
        data_set.path("file.txt", tmp_path)


# ---------------------------------------------------------------- the helpers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("[NaN]", "NaN is not a finite number"),
        ("[-Infinity]", "-Infinity is not a finite number"),
        ("[1e999]", "1e999 is not a finite number"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5_000, "Exceeds the limit"),
        ("{'a': 1}", "Expecting property name"),
    ],
)
def test_json_says_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=message) as caught:
        parse_json(text)
    assert len(str(caught.value)) < 160


def nested(levels):
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    ("read", "text_of"),
    [
        (parse_json, nested),
        (parse_json, lambda levels: '{"a":' * levels + "0" + "}" * levels),
        (parse_toml, lambda levels: "a = " + nested(levels - 1)),
        (parse_toml, lambda levels: ".".join("a" * levels) + " = 0"),
        (Variant.parse, lambda levels: '{"rules": ' + nested(levels - 1) + "}"),
        (
            janko.read_nurikabe,
            lambda levels: (
                '{"file": "a", "data": {"problem": [[1]], "a": ' + nested(levels - 2) + "}}"
            ),
        ),
    ],
)
def test_every_python_reads_equally_many_levels(read, text_of):
    refused = "nested too deeply; at most 100 levels|is damaged|not the JSON of a puzzle"
    with suppress(PuzzleError):  # of a rule, with whatever value
        read(text_of(100))
    for levels in (101, 200, 5_000):
        with pytest.raises(ValueError, match=refused):
            read(text_of(levels))


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path, monkeypatch):
    assert MOST_BYTES == 256 << 20
    monkeypatch.setattr("nando.puzzles.files.MOST_BYTES", 3 << 20)
    path = tmp_path / "large.json"
    with open(path, "wb") as file:
        file.truncate((3 << 20) + 1)  # a hole, which takes no space
    with pytest.raises(ValueError, match=r"large.json: more than 3 MiB; cut it"):
        read_text(path)
