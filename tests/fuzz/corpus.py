#!/usr/bin/env python
"""The corpus: inputs that the fuzzer found and the tests replay.

A target's inputs are the lines of ``corpus/<target>.jsonl``: JSON strings whose characters are
bytes (Latin-1), shortest first. The fuzzer works on folders, so

    python tests/fuzz/corpus.py unpack sudoku folder/   writes the inputs as files of a new folder
    python tests/fuzz/corpus.py pack sudoku folder/     replaces the corpus by the files of a folder
    python tests/fuzz/corpus.py add sudoku found/       adds the files of a folder to the corpus
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"


def path_of(target: str) -> Path:
    return CORPUS / f"{target}.jsonl"


def read(target: str) -> list[bytes]:
    lines = path_of(target).read_text(encoding="ascii").splitlines()
    return [json.loads(line).encode("latin-1") for line in lines]


def packed(entries: Iterable[bytes]) -> str:
    """Return the text of a corpus file, which depends only on the set of entries."""
    ordered = sorted(set(entries), key=lambda data: (len(data), data))
    return "".join(json.dumps(data.decode("latin-1")) + "\n" for data in ordered)


def write(target: str, entries: Iterable[bytes]) -> None:
    path_of(target).write_text(packed(entries), encoding="ascii", newline="\n")


def unpack(target: str, folder: Path) -> None:
    folder.mkdir(parents=True)
    for data in read(target):
        (folder / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)


def files_of(folder: Path) -> list[bytes]:
    entries = [path.read_bytes() for path in folder.iterdir() if path.is_file()]
    return entries or sys.exit(f"no files in {folder}: the corpus stays as it is")


def main() -> None:
    parser = argparse.ArgumentParser(description="Unpack, replace or extend the fuzz corpus.")
    parser.add_argument("action", choices=("unpack", "pack", "add"))
    parser.add_argument("target", choices=sorted(path.stem for path in CORPUS.glob("*.jsonl")))
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args()
    if chosen.action == "unpack":
        unpack(chosen.target, chosen.folder)
    else:
        kept = read(chosen.target) if chosen.action == "add" else []
        write(chosen.target, [*kept, *files_of(chosen.folder)])
    print(f"{chosen.target}: {len(read(chosen.target))} inputs")


if __name__ == "__main__":
    main()
