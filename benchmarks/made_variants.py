"""How fast variants are made, beside pencilmark's generator at like difficulty, in one run.

pencilmark makes puzzles of each kind that it has; their median time, as nando rates them, is the
time that nando makes puzzles of the same rules to. A puzzle of pencilmark that is not done within
the limit counts with the seconds until then, so ratios are then lower bounds. Where pencilmark has
no such kind, nando makes puzzles to 20 minutes. All take processor time on one core; the first
puzzle of each row, which may compile, does not count.

Run: python benchmarks/made_variants.py --peer 3 --own 20   (long: nearly all of it pencilmark's)
"""

import argparse
import time
from typing import Any

import numpy as np

from nando.generators import VariantSource, generate
from nando.making import Maker, Wanted
from nando.puzzles import Variant
from nando.rating import load_model

ROWS: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "killer": ({"rules": ["killer"]}, {"cage": "partition"}),
    "Kropki, all dots": ({"rules": ["kropki"]}, {"kropki": "full"}),
    "thermometers": ({"rules": ["thermometer"]}, {"thermo": 4}),
    "arrows": ({"rules": ["arrow"]}, {"arrow": 4}),
    "whispers": ({"rules": ["whispers"]}, {"whisper": 3}),
    "diagonals": ({"rules": ["diagonals"]}, None),
    "windoku": ({"rules": ["windoku"]}, None),
    "anti-knight": ({"rules": ["anti-knight"]}, None),
    "jigsaw": ({"rules": ["jigsaw"]}, None),
    "samurai": ({"rules": ["samurai"]}, None),
}
"""Options of nando, and elements of pencilmark or None."""

_MINUTES = 20.0
"""Time of puzzles for which there is no peer."""


def variant_of(made: dict[str, Any]) -> Variant:
    """Return the variant of a puzzle as pencilmark's generator describes it."""
    cages = made.get("regions", [])
    rules = [f"killer:{''.join(cage['cells'])}:{cage['sum']}" for cage in cages]
    dots: dict[str, list[str]] = {"white": [], "black": []}
    for rule in made.get("rules", []):
        cells = "".join(rule.get("cells", [])) if rule["type"] != "pairs" else ""
        match rule["type"], rule.get("kind"):
            case "line", "thermo":
                rules.append(f"thermometer:{cells}")
            case "line", "whisper":
                rules.append(f"whispers:{cells}:{rule['k']}")
            case "arrow", _:
                rules.append(f"arrow:{''.join(rule['circle'])}:{''.join(rule['line'])}")
            case "kropki", _:
                dots[rule["color"]].append(cells)
    if any(dots.values()):
        named = [f"{colour}={'-'.join(cells)}" for colour, cells in dots.items() if cells]
        rules.append(":".join(["kropki", *named, "all-given"]))
    return Variant("+".join([made["numbers"], *rules]))


def peer_row(elements: dict[str, Any], n: int, limit: float, model: Any) -> tuple[float, float]:
    """Return pencilmark's median seconds a puzzle, and the median minutes of its puzzles."""
    from pencilmark.gen import GenerationFailed
    from pencilmark.gen import generate as made_by_pencilmark

    seconds, minutes = [], []
    for seed in range(1, n + 1):
        start = time.process_time()
        made = None
        try:
            made = made_by_pencilmark({"elements": elements, "seed": seed, "time_limit": limit})
        except GenerationFailed as error:
            print(f"  pencilmark, {elements}, seed {seed}: {str(error)[:70]}", flush=True)
        seconds.append(time.process_time() - start)
        if made is not None:
            puzzle = variant_of(made["puzzle"])
            minutes.append(float(model.rate([puzzle])["predicted_seconds"].iloc[0]) / 60)
    return float(np.median(seconds)), float(np.median(minutes)) if minutes else _MINUTES


def own_row(source: VariantSource, minutes: float | None, n: int, model: Any) -> list[float]:
    """Return the seconds of each puzzle but the first, to a time or of any difficulty."""
    wanted = Wanted() if minutes is None else Wanted(60 * minutes, unit="seconds")
    target = Maker(model, 0).target(wanted)
    seconds, start = [], time.process_time()
    for _ in generate(source, n + 1, target=target):
        seconds.append(time.process_time() - start)
        start = time.process_time()
    return seconds[1:]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", type=int, default=3, help="puzzles of pencilmark in each row")
    parser.add_argument("--own", type=int, default=20, help="puzzles of nando in each row")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for a peer's puzzle")
    parser.add_argument("rows", nargs="*", help="rows; default: all")
    options = parser.parse_args()
    model = load_model(None, "variant")
    heads = "rules | pencilmark, s | minutes | nando to this time, ms | a second | ratio"
    heads += " | nando of any time, ms | a second"
    print(f"| {heads} |\n| --- |" + " ---: |" * heads.count("|"))
    for name, (own, elements) in ROWS.items():
        if options.rows and name not in options.rows:
            continue
        source = VariantSource(**own)
        theirs, minutes = float("nan"), _MINUTES
        if elements is not None and options.peer:
            theirs, minutes = peer_row(elements, options.peer, options.limit, model)
        to_time = float(np.median(own_row(source, minutes, options.own, model)))
        free = float(np.median(own_row(source, None, options.own, model)))
        peer = ("-", "-")
        if not np.isnan(theirs):
            peer = f"{theirs:.1f}", f"{theirs / to_time:.0f}"
        print(
            f"| {name} | {peer[0]} | {minutes:.0f} | {1e3 * to_time:.0f} | {1 / to_time:.1f} | "
            f"{peer[1]} | {1e3 * free:.0f} | {1 / free:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
