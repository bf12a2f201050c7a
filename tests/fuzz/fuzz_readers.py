#!/usr/bin/env python
"""Fuzz one reader with atheris, guided by coverage.

    python -m pip install atheris
    mkdir found
    python tests/fuzz/fuzz_readers.py sudoku found/ -max_total_time=600

The first argument is a target of readers.py. The rest goes to libFuzzer: a folder for what it
finds, and its options. The fuzzer starts from the target's seeds and its corpus. Then merge what
covers more code into the corpus:

    python tests/fuzz/corpus.py unpack sudoku kept/
    python tests/fuzz/fuzz_readers.py sudoku kept/ found/ -merge=1
    python tests/fuzz/corpus.py pack sudoku kept/
"""

import json
import os
import random
import sys
import tempfile
from pathlib import Path

import atheris

TARGET = "NANDO_FUZZ_TARGET"
ROOT = Path(__file__).resolve().parent.parent.parent


def with_kernels():
    """List the modules with kernels, which numba must compile without instrumentation."""
    for path in (ROOT / "nando").rglob("*.py"):
        if "kernel" in path.read_text(encoding="utf-8") or path.parent.name == "solvers":
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


with atheris.instrument_imports(include=["nando", "csv", "tomllib"], exclude=[*with_kernels()]):
    sys.path.insert(0, str(ROOT / "tests"))
    from fuzz import corpus, readers

STRANGE = (None, True, 0, -1, 1e300, 10**30, "", "x", [], {}, [[]], [1.0], {"a": None})


def _spots(value, found):
    """Collect every place in a JSON value as a pair of container and key."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found.append((value, key))
            _spots(inner, found)
    return found


def mutate_json(data, max_size, seed):
    """Replace, drop or copy a value of a JSON text, or mutate its bytes."""
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
    if len(sys.argv) > 1 and sys.argv[1] in readers.TARGETS:
        os.environ[TARGET] = sys.argv.pop(1)  # libFuzzer starts itself again, without it
    elif TARGET not in os.environ:
        sys.exit(f"name a target: {', '.join(readers.TARGETS)}")
    name = os.environ[TARGET]
    begin = tempfile.mkdtemp(prefix="nando-seeds")
    target = readers.TARGETS[name]
    for number, data in enumerate([*target.seeds(), *corpus.read(name)]):
        (Path(begin) / str(number)).write_bytes(data)
    options = [f"-max_len={1 << 15}", "-timeout=60", "-rss_limit_mb=3000"]
    arguments = [sys.argv[0], *options, *sys.argv[1:]]
    if not any(option.startswith("-merge") for option in sys.argv):
        arguments.append(begin)
    more = {"custom_mutator": mutate_json} if target.is_json else {}
    with readers.eased():
        atheris.Setup(arguments, target.run, **more)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
