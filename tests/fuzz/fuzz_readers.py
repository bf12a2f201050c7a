"""Fuzz one reader with atheris, guided by coverage.

    python -m pip install atheris
    python tests/fuzz/fuzz_readers.py sudoku /tmp/found -max_total_time=600

The first argument is a target of readers.py; the rest goes to libFuzzer: a folder for what it
finds, and its options. What it finds worth keeping is minimised into the corpus of the tests by

    python tests/fuzz/fuzz_readers.py sudoku tests/fuzz/corpus/sudoku /tmp/found -merge=1
"""

import json
import random
import sys
import tempfile
from pathlib import Path

import atheris

# Kernels must be compiled from the code that was written, so only modules without any are watched.
WATCHED = [
    "nando.puzzles.reading",
    "nando.puzzles.files",
    "nando.puzzles._lines",
    "nando.puzzles._nurikabe_text",
    "nando.puzzles._sudoku_rows",
    "nando.puzzles.nurikabe",
    "nando.puzzles.writing",
    "nando.cli",
    "nando.datasets",
    "nando.generators.book",
    "nando.generators._book_layout",
    "nando.generators._book_html",
    "nando.generators.records",
    "nando.rating._records",
    "nando.rating.population",
    "nando.rating.games",
    "nando.rating.rater",
    "nando.rating.fill_order",
    "nando.rating.audit",
    "nando.rating.step_times",
    "csv",
]
with atheris.instrument_imports(include=WATCHED):
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    import readers

STRANGE = (None, True, 0, -1, 1e300, 10**30, "", "x", [], {}, [[]], [1.0], {"a": None})


def _spots(value, found):
    """Every container of a JSON value with its keys."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found.append((value, key))
            _spots(inner, found)
    return found


def mutate_json(data, max_size, seed):
    """Exchange, drop or copy a value of a JSON text; or else mutate its bytes."""
    chance = random.Random(seed)
    try:
        value = json.loads(data)
        spots = _spots(value, [])
    except (ValueError, RecursionError):
        spots = []
    if not spots or chance.random() < 0.4:
        return atheris.Mutate(data, max_size)
    for _ in range(chance.randint(1, 3)):
        outer, key = chance.choice(spots)
        kind = chance.random()
        try:
            if kind < 0.15:
                del outer[key]
            elif kind < 0.5:
                other, place = chance.choice(spots)
                outer[key] = json.loads(json.dumps(other[place]))
            else:
                outer[key] = chance.choice(STRANGE)
        except (LookupError, ValueError, RecursionError):
            continue
    text = json.dumps(value).encode()
    return text if len(text) <= max_size else atheris.Mutate(data, max_size)


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in readers.TARGETS:
        sys.exit(f"name a target: {', '.join(readers.TARGETS)}")
    name = sys.argv.pop(1)
    begin = tempfile.mkdtemp(prefix="nando-seeds")
    for number, data in enumerate(readers.seeds(name)):
        (Path(begin) / str(number)).write_bytes(data)
    options = [f"-max_len={1 << 15}", "-timeout=60", "-rss_limit_mb=3000"]
    arguments = [sys.argv[0], *options, *sys.argv[1:]]
    if not any(option.startswith("-merge") for option in sys.argv):
        arguments.append(begin)
    more = {"custom_mutator": mutate_json} if name in readers.JSON_TARGETS else {}
    with readers.eased():
        atheris.Setup(arguments, readers.TARGETS[name], **more)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
