"""Write what the commands print into a folder, and compare two such folders.

A change that only moves or rewords code must leave ratings, puzzles, steps, books, audits, orders,
evaluations, reproductions and fits as they were, byte for byte. Run it with the version before and
with the version after:

    python benchmarks/outputs.py write before
    python benchmarks/outputs.py write after --only ratings,made
    python benchmarks/outputs.py compare before after

Sentences are compared apart from the steps they describe: a reworded sentence is a change of
`sentences.txt`, not of `steps.txt`. Of files that only one folder has, those before are missing.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

MOST = 1_500
"""Puzzles of each bank."""
SHARE = float(os.environ.get("OUTPUTS_SHARE", "0.1"))
"""Share of the 3,000 walks of the section `engine`: a tenth takes minutes, all of it an hour."""
DATA = Path(os.environ.get("NANDO_DATA", "../shared/data"))
EXAMPLES = Path(__file__).parent.parent / "examples"
SENTENCES = {"sentence", "text", "reason", "hint", "look", "pattern", "message"}
GENERATED = {
    "minimal": ["--count", 400],
    "minutes": ["--target", "8min", "--count", 20],
    "hard": ["--target", "25min", "--count", 10, "--symmetry", "rotational"],
    "grade": ["--grade", "tricky", "--count", 10, "--symmetry", "mirror"],
    "percentile": ["--percentile", 50, "--count", 10, "--minimal"],
    "house": ["--most-per-house", 5, "--count", 5],
    "16x16": ["--order", 4, "--count", 2],
    "16x16-minutes": ["--order", 4, "--target", "60min", "--tolerance", "30%", "--count", 1],
    "nurikabe": ["--kind", "nurikabe", "--target", "8min", "--count", 6],
    "nurikabe-size": ["--kind", "nurikabe", "--size", "8x6", "--unknown", 1, "--count", 4],
    "killer": ["--rule", "killer", "--count", 3, "--singles", 2],
    "killer-minutes": ["--rule", "killer", "--target", "20min", "--tolerance", "30%"],
    "jigsaw": ["--rule", "jigsaw", "--count", 2, "--symmetry", "rotational"],
    "diagonals": ["--rule", "diagonals,anti-knight", "--grade", "medium", "--tolerance", "30%"],
    "6x6": ["--size", "6x6", "--count", 4, "--grade", "easy"],
    "thermometer": ["--rule", "thermometer", "--clues", 4, "--count", 2],
}
SEEDS = {"minutes": range(5), "nurikabe": range(2), "minimal": range(3)}
BOOKS: dict[str, list[object]] = {
    "grades": ["--grades", "easy:4,tricky:4", "--seed", 7, "--hints"],
    "nurikabe": ["--kind", "nurikabe", "--grades", "easy:4", "--seed", 3],
    "times": ["--targets", "6min:4", "--symmetry", "rotational", "--seed", 1, "--per-page", 2],
    "killer": ["--kind", "killer", "--grades", "medium:2", "--seed", 2],
    "spec": [EXAMPLES / "five-kinds.toml"],
}
WALKS = [("17", "en"), ("hardest", "de"), ("variants", "ja"), ("modern", "en"), ("nurikabe", "de")]
WALKED = {
    "17": 1_000,
    "hardest": 120,
    "top": 700,
    "cloud": 320,
    "order-4": 80,
    "nurikabe": 340,
    "published": 500,
    "modern": 30,
}
POSITIONS = {"17": 10, "hardest": 10, "cloud": 20, "published": 40}
FORMS = {"spec": ("pdf",), "grades": ("pdf", "html", "epub"), "killer": ("pdf", "epub")}


def main() -> None:
    """Write one folder, or compare two."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    write = commands.add_parser("write")
    write.add_argument("folder", type=Path)
    write.add_argument("--only", default=",".join(SECTIONS), metavar="NAME,...", help=f"{SECTIONS}")
    write.set_defaults(run=lambda options: write_all(options.folder, options.only.split(",")))
    compare = commands.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.set_defaults(run=lambda options: sys.exit(compare_all(options.before, options.after)))
    options = parser.parse_args()
    options.run(options)


def write_all(folder: Path, sections: list[str]) -> None:
    """Run the commands of some sections and write what they print."""
    for name in sections:
        (folder / name).mkdir(parents=True, exist_ok=True)
        SECTIONS[name](folder / name)


def write_ratings(folder: Path) -> None:
    """Rate banks of every kind, for crowds and for a player, and write their features."""
    for bank, lines in banks().items():
        puzzles = folder / f"puzzles-{bank}.txt"
        puzzles.write_text("\n".join(lines[:MOST]) + "\n")
        nando("rate", puzzles, "-o", folder / f"ratings-{bank}.csv")
    sudokus = folder / "sudokus.txt"
    sudokus.write_text("\n".join(banks()["plain"]) + "\n")
    for crowd in ("cloud-sudoku", "phone", "portal", "portal-best"):
        nando("rate", sudokus, "--crowd", crowd, "-o", folder / f"crowd-{crowd}.csv")
    games = EXAMPLES / "games.csv"
    for player in ("ada", "ben"):
        options = ("--history", games, "--player", player)
        nando("rate", sudokus, *options, "-o", folder / f"player-{player}.json")
    nando("rate", sudokus, "--coverage", 0.5, "--runs", 3, "-o", folder / "coverage.jsonl")
    large = folder / "16x16.txt"
    nando("generate", "--order", 4, "--count", 3, "--seed", 1, "--no-rating", "-o", large)
    nando("rate", large, "-o", folder / "ratings-16x16.csv")
    nando("features", sudokus, "-o", folder / "features.csv")


def write_made(folder: Path) -> None:
    """Make puzzles of each kind, to each kind of wish, with some seeds."""
    for name, options in GENERATED.items():
        for seed in SEEDS.get(name, range(1)):
            written = folder / f"{name}-{seed}.csv"
            nando("generate", *options, "--seed", seed, "-o", written)


def write_books(folder: Path) -> None:
    """Make books of each form with their manifests."""
    for name, options in BOOKS.items():
        for form in FORMS.get(name, ("html",)):
            nando("book", *options, "-o", folder / f"book-{name}.{form}")


def write_walks(folder: Path) -> None:
    """Explain puzzles of every kind in three languages."""
    for bank, language in WALKS:
        walked = folder / f"walked-{bank}.txt"
        walked.write_text("\n".join(banks()[bank][:60]) + "\n")
        walks = folder / f"walks-{bank}-{language}.jsonl"
        nando("explain", walked, "--language", language, "-o", walks)
        end = f"{bank}-{language}.txt"
        split_walks(walks, folder / f"steps-{end}", folder / f"sentences-{end}")
        walks.unlink()
    hard = banks()["plain"][0]
    nando("explain", hard, "--all", "-o", folder / "every.json")
    nando("explain", hard, "-o", folder / "walk.html")
    nando("explain", EXAMPLES / "variants.txt", "-o", folder / "walk.txt")


def write_games(folder: Path) -> None:
    """Audit logs and predict orders."""
    games = EXAMPLES / "games.csv"
    for name in ("audit.csv", "audit.html", "audit.json"):
        nando("audit", games, "-o", folder / name)
    nando("audit", games, "--language", "de", "--on-screen", "-o", folder / "audit-de.csv")
    nando("audit", games, "--by", "player", "-o", folder / "players.csv")
    for name, line in {"sudoku": banks()["plain"][0], "nurikabe": nurikabe()[0]}.items():
        nando("order", line, "-o", folder / f"order-{name}.csv")
    nando("order", banks()["variants"][0], "-o", folder / "order-variant.csv")
    history = ("--history", games, "--player", "ada")
    nando("order", banks()["plain"][0], *history, "-o", folder / "order-ada.csv")


def write_evaluations(folder: Path) -> None:
    """Evaluate on published times, and leave out each crowd."""
    nando("evaluate", "--repeats", 1, "-o", folder / "times.csv")
    nando("evaluate", "--crowds", "-o", folder / "crowds.csv")
    nando("evaluate", "--kind", "nurikabe", "-o", folder / "nurikabe.csv")


def write_reproductions(folder: Path) -> None:
    """Reproduce the quick cells of some experiments."""
    nando("reproduce", "soto", "cunha", "-o", folder / "reproduced.csv")


def write_fits(folder: Path) -> None:
    """Fit the model of each kind to the published times."""
    for kind in ("sudoku", "nurikabe", "variant"):
        nando("fit", "--kind", kind, "-o", folder / f"{kind}.json")


def write_engine(folder: Path) -> None:
    """Write steps by the thousand, lists of steps, features, orders, and a run of each solver."""
    from nando.features import GROUPS
    from nando.features.groups import kinds_of
    from nando.solvers import SOLVERS

    lines_of = banks() | engine_banks()
    made = folder / "order-4.txt"
    nando("generate", "--order", 4, "--count", 8, "--seed", 1, "--no-rating", "-o", made)
    lines_of["order-4"] = read(made.resolve())
    for bank, most in WALKED.items():
        write_steps(folder, bank, lines_of[bank][: round(SHARE * most)])
    for bank, most in POSITIONS.items():
        positions = lines_of[bank][: round(SHARE * most)]
        write_steps(folder, f"{bank}-all", positions, "--all", "--effort", 3_000)
    cloud = lines_of["cloud"][: round(SHARE * 100)]
    for order in ("hodoku", "sudokuwiki"):
        write_steps(folder, f"cloud-{order}", cloud, "--order", order)
    write_steps(folder, "cloud-whole", cloud, "--whole")
    for bank in ("cloud", "order-4", "nurikabe", "published"):
        few = folder / f"few-{bank}.txt"
        few.write_text("\n".join(lines_of[bank][:4]) + "\n")
        for solver in SOLVERS:
            options = ("--method", solver.name, "--steps", 20_000, "--seed", 3)
            nando("solve", few, *options, "-o", folder / f"solved-{bank}-{solver.name}.csv")
        for i, line in enumerate(lines_of[bank][:4]):
            nando("order", line, "-o", folder / f"order-{bank}-{i}.csv")
    for bank, kind in {"cloud": "sudoku", "nurikabe": "nurikabe", "published": "variant"}.items():
        groups = ",".join(name for name in GROUPS if kind in kinds_of([name]))
        options = ("--groups", groups, "--runs", 2)
        nando("features", folder / f"few-{bank}.txt", *options, "-o", folder / f"{bank}.csv")


def write_steps(folder: Path, name: str, lines: list[str], *options: object) -> None:
    """Write the steps through some puzzles, or a list of those possible, without sentences."""
    puzzles, walks = folder / f"steps-{name}.in", folder / f"steps-{name}.jsonl"
    puzzles.write_text("\n".join(lines) + "\n")
    nando("explain", puzzles, *options, "-o", walks)
    split_walks(walks, folder / f"steps-{name}.txt", folder / f"sentences-{name}.txt")
    walks.unlink()


SECTIONS: dict[str, Callable[[Path], None]] = {
    "ratings": write_ratings,
    "made": write_made,
    "books": write_books,
    "walks": write_walks,
    "games": write_games,
    "evaluations": write_evaluations,
    "reproductions": write_reproductions,
    "fits": write_fits,
    "engine": write_engine,
}


def nando(*words: object) -> None:
    """Run a command and keep its messages; a bank may have bad lines."""
    done = subprocess.run(
        [sys.executable, "-m", "nando", *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    print(done.returncode, *words, flush=True)
    if done.returncode:
        print(done.stderr[-600:], flush=True)


def banks() -> dict[str, list[str]]:
    """Lines of the banks that can be found in the data folder, and of the examples."""
    modern = [line.split("\t") for line in read("modern_variants/puzzles.tsv")[1:]]
    lines_of = {
        "plain": read(EXAMPLES / "puzzles.txt"),
        "variants": read(EXAMPLES / "variants.txt"),
        "exchange": [line.split()[1] for line in read("sudoku_exchange/sample.txt")],
        "17": read("tdoku/17_clue_sample.txt"),
        "hardest": read("tdoku/forum_hardest_1106.txt"),
        "publisher": [
            line.partition(":")[2]
            for path in sorted(DATA.glob("sudoku_of_the_day/*.txt"))
            for line in path.read_text().split()
        ],
        "cloud": [row[1] for row in csv.reader(read("cloud_sudoku/20240415.csv")[1:])],
        "modern": [row[-1] for row in modern if row[5] and float(row[5]) < 0.1][:30],
        "nurikabe": nurikabe()[:500],
    }
    return {name: lines for name, lines in lines_of.items() if lines}


def engine_banks() -> dict[str, list[str]]:
    """Lines of the larger banks, whose steps are compared."""
    from nando.datasets import fetch_sudoku_variants

    table = fetch_sudoku_variants(as_frame=True).frame
    published = (
        table[table["size"] > 4].groupby("genre").head(50)["puzzle"].sample(frac=1, random_state=1)
    )
    return {"top": read("tdoku/magictour_top1465.txt"), "published": published.tolist()}


def nurikabe() -> list[str]:
    """Boards of the counted collection with one solution."""
    rows = (line.split("\t") for line in read("nurikabe/counts.tsv"))
    lines = [row[3] for row in rows if row[0] == "1" and int(row[1]) * int(row[2]) <= 150]
    return ["/".join(re.sub(r"\s+", " ", row.strip()) for row in line.split("/")) for line in lines]


def read(name: str | Path) -> list[str]:
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
    spoken += [str(value[name]) for name in value if name in SENTENCES]
    names = [name for name in value if name not in SENTENCES]
    return {name: without_sentences(value[name], spoken) for name in names}


def compare_all(before: Path, after: Path) -> int:
    """Print a line for each file of the sections that both have; return how many differ."""
    n_changed = 0
    for section in sorted(path.name for path in after.iterdir()):
        for path in sorted((before / section).iterdir()):
            other = after / section / path.name
            written = content(path, before)
            rewritten = content(other, after) if other.is_file() else b""
            if written == rewritten:
                continue
            lines, others = written.splitlines(), rewritten.splitlines()
            pairs = enumerate(zip(lines, others, strict=False), 1)
            differing = [number for number, (line, other_line) in pairs if line != other_line]
            print(
                f"{section}/{path.name}: {len(lines)} lines, {len(others)} after, "
                f"{len(differing)} differ, first {differing[:1]}"
            )
            n_changed += 1
        print(f"{section}: compared")
    return n_changed


def content(path: Path, folder: Path) -> bytes:
    """Return what a file holds without the name of its folder, which ratings name in each row.

    The hashes of models are left out, too: numbers are compared, not the form of their file.
    """
    written = path.read_bytes().replace(f"{folder}{os.sep}".encode(), b"")
    return re.sub(rb"-[0-9a-f]{12}\b", b"", written)


if __name__ == "__main__":
    main()
