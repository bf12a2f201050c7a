"""Compare the ratings of variants with Sukaku Explainer's, and say where they differ and why.

A rating of Sukaku Explainer names its hardest technique, because each technique has a range of
ratings. So a difference is one of two kinds: the program needs another technique than nando, or
both need the same and count its length in another way.

    python benchmarks/variant_ratings.py
"""

import collections

import numpy as np

from nando.datasets import fetch_sukaku_variants
from nando.solvers.logic.technique import standard_ladder
from nando.solvers.logic.variants.walk import VariantWalker

EFFORT = 1_000
"""Most searches of a puzzle for what-ifs nested in a what-if."""
CLOSE = 0.05
"""Ratings have one decimal; those nearer than this are equal."""


def main() -> None:
    """Print how many ratings agree, and the differences by the techniques behind them."""
    data = fetch_sukaku_variants(as_frame=True)
    theirs = np.asarray(data.target, np.float64)
    ladder = standard_ladder("variant")
    rated = VariantWalker(ladder, EFFORT).rate(data.puzzles)
    agrees = np.abs(rated.rating - theirs) < CLOSE
    print(f"{len(theirs)} puzzles, {int(rated.solved.sum())} solved")
    for least, most in ((1.0, 3.4), (3.5, 6.4), (6.5, 7.4), (7.5, 8.4), (8.5, 12.0)):
        chosen = (theirs > least - CLOSE) & (theirs < most + CLOSE)
        near = np.abs(rated.rating - theirs)[chosen] < 0.5 + CLOSE
        print(
            f"{least} to {most}: {int(agrees[chosen].sum())} of {int(chosen.sum())} agree, "
            f"{int(near.sum())} within 0.5"
        )
    print("\ntheir hardest technique / nando's: puzzles, mean difference of the ratings")
    differences: dict[tuple[str, str], list[float]] = collections.defaultdict(list)
    for i in np.flatnonzero(~agrees).tolist():
        used = [t for t, uses in zip(ladder, rated.uses[i], strict=True) if uses]
        own = max(used, key=lambda technique: technique.rating)
        differences[technique_at(theirs[i]), own.name].append(rated.rating[i] - theirs[i])
    for (their, own), gaps in sorted(differences.items(), key=lambda item: -len(item[1])):
        print(f"{their} / {own}: {len(gaps)}, {np.mean(gaps):+.1f}")


def technique_at(rating: float) -> str:
    """Return the techniques that begin at the highest rating up to this one, by their names."""
    ladder = standard_ladder("sudoku")
    begins = max(t.rating for t in ladder if t.rating < rating + CLOSE)
    return " or ".join(t.name for t in ladder if t.rating == begins)


if __name__ == "__main__":
    main()
