"""Write what the commands print into a folder, and compare two such folders.

A change that only moves or rewords code must leave ratings, puzzles, steps, books and audits as
they were, byte for byte. Run it with the version before and with the version after:

    python benchmarks/outputs.py write before
    python benchmarks/outputs.py write after
    python benchmarks/outputs.py compare before after

Sentences are compared apart from the steps they describe: a reworded sentence is a change of
`sentences.txt`, not of `steps.txt`.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

MOST = 10_000
"""Puzzles of each bank."""
DATA = Path(os.environ.get("NANDO_DATA", "../shared/data"))
BOOKS = {
    "grades": ["--grades", "easy:4,tricky:4", "--seed", "7", "--hints"],
    "nurikabe": ["--kind", "nurikabe", "--grades", "easy:4", "--seed", "3"],
    "times": ["--targets", "6min:4", "--symmetry", "rotational", "--seed", "1"],
}
EXAMPLES = Path(__file__).parent.parent / "examples"
SENTENCES = {"sentence", "text", "reason", "hint", "look", "pattern", "message"}


def main() -> None:
    """Write one folder, or compare two."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    write = commands.add_parser("write")
    write.add_argument("folder", type=Path)
    write.set_defaults(run=lambda options: write_all(options.folder))
    compare = commands.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.set_defaults(run=lambda options: sys.exit(compare_all(options.before, options.after)))
    options = parser.parse_args()
    options.run(options)


def write_all(folder: Path) -> None:
    """Run the commands and write what they print."""
    folder.mkdir(parents=True, exist_ok=True)
    for bank, lines in banks().items():
        puzzles = folder / f"puzzles-{bank}.txt"
        puzzles.write_text("\n".join(lines[:MOST]) + "\n")
        nando("rate", puzzles, "-o", folder / f"ratings-{bank}.csv")
    nando("generate", "--count", MOST, "--seed", 5, "-o", folder / "puzzles-minimal.txt")
    nando("rate", folder / "puzzles-minimal.txt", "-o", folder / "ratings-minimal.csv")
    nando("generate", "--count", 200, "--target", "8min", "--seed", 11, "-o", folder / "8min.csv")
    nando("generate", "--count", 60, "--target", "25min", "--seed", 2, "-o", folder / "25min.csv")
    options = ("generate", "--kind", "nurikabe", "--count", 40, "--target", "8min")
    nando(*options, "-o", folder / "nurikabe-8min.csv")
    few = folder / "few.txt"
    minimal = (folder / "puzzles-minimal.txt").read_text().splitlines()
    few.write_text("\n".join(minimal[:300]) + "\n")
    nando("features", few, "-o", folder / "features.csv")
    walked = folder / "walked.txt"
    walked.write_text("\n".join([*minimal[:400], *nurikabe()[:100]]) + "\n")
    nando("explain", walked, "-o", folder / "walks.jsonl")
    split_walks(folder / "walks.jsonl", folder / "steps.txt", folder / "sentences.txt")
    for name, options in BOOKS.items():
        nando("book", *options, "-o", folder / f"book-{name}.html")
        nando("book", *options, "-o", folder / f"book-{name}.pdf")
    nando("audit", EXAMPLES / "games.csv", "-o", folder / "audit.csv")
    nando("audit", EXAMPLES / "games.csv", "-o", folder / "audit.html")
    nando("audit", EXAMPLES / "games.csv", "--language", "de", "-o", folder / "audit-de.csv")
    nando("order", minimal[0], "-o", folder / "order.csv")


def nando(*words: object) -> None:
    """Run a command; a bank may have bad lines."""
    subprocess.run([sys.executable, "-m", "nando", *map(str, words)], stderr=subprocess.DEVNULL)
    print(*words, flush=True)


def banks() -> dict[str, list[str]]:
    """Lines of the banks that can be found in the data folder."""
    lines_of = {
        "exchange": [line.split()[1] for line in read("sudoku_exchange/sample.txt")],
        "17": read("tdoku/17_clue_sample.txt"),
        "magictour": read("tdoku/magictour_top1465.txt"),
        "hardest": read("tdoku/forum_hardest_1106.txt"),
        "publisher": [
            line.partition(":")[2]
            for path in sorted(DATA.glob("sudoku_of_the_day/*.txt"))
            for line in path.read_text().split()
        ],
        "cloud": [row[1] for row in csv.reader(read("cloud_sudoku/20240415.csv")[1:])],
        "nurikabe": nurikabe(),
    }
    return {name: lines for name, lines in lines_of.items() if lines}


def nurikabe() -> list[str]:
    """Boards of the counted collection with one solution."""
    rows = (line.split("\t") for line in read("nurikabe/counts.tsv"))
    lines = [row[3] for row in rows if row[0] == "1" and int(row[1]) * int(row[2]) <= 150]
    return ["/".join(re.sub(r"\s+", " ", row.strip()) for row in line.split("/")) for line in lines]


def read(name: str) -> list[str]:
    """Lines of a file, none where it is absent; comments left out."""
    path = DATA / name
    lines = path.read_text().splitlines() if path.is_file() else []
    return [line for line in lines if line.strip() and not line.startswith("#")]


def split_walks(walks: Path, steps: Path, sentences: Path) -> None:
    """Write the sentences of walks to one file and everything else to another."""
    with steps.open("w") as first, sentences.open("w") as second:
        for line in walks.read_text().splitlines():
            spoken: list[str] = []
            first.write(json.dumps(without_sentences(json.loads(line), spoken)) + "\n")
            second.writelines(f"{sentence}\n" for sentence in spoken)


def without_sentences(value: object, spoken: list[str]) -> object:
    """Return the value without its sentences, which are added to `spoken`."""
    if isinstance(value, list):
        return [without_sentences(element, spoken) for element in value]
    if not isinstance(value, dict):
        return value
    spoken += [str(value[name]) for name in value.keys() & SENTENCES]
    names = [name for name in value if name not in SENTENCES]
    return {name: without_sentences(value[name], spoken) for name in names}


def compare_all(before: Path, after: Path) -> int:
    """Print a line for each file; return the number of files that differ."""
    n_changed = 0
    for path in sorted(before.iterdir()):
        other = after / path.name
        if not other.is_file():
            print(f"{path.name}: missing")
            n_changed += 1
            continue
        written, rewritten = content(path), content(other)
        same = written == rewritten
        lines, others = written.splitlines(), rewritten.splitlines()
        differing = [
            number
            for number, pair in enumerate(zip(lines, others, strict=False), 1)
            if pair[0] != pair[1]
        ]
        said = "same" if same else f"{len(differing)} lines differ, first {differing[:1]}"
        print(f"{path.name}: {len(lines)} lines, {len(others)} after, {said}")
        n_changed += not same
    return n_changed


def content(path: Path) -> bytes:
    """Return what a file holds without the name of its folder, which ratings name in each row."""
    return path.read_bytes().replace(f"{path.parent}{os.sep}".encode(), b"")


if __name__ == "__main__":
    main()
