"""What Sudoku Explainer, HoDoKu and SudokuWiki call each family."""

from typing import NamedTuple

from nando.names import Style

STYLES: dict[Style, str] = {
    "nando": "nando's own names",
    "se": "Sudoku Explainer and Sukaku Explainer",
    "hodoku": "HoDoKu",
    "sudokuwiki": "SudokuWiki",
}
"""The styles of names, and whose they are."""


class _Names(NamedTuple):
    """The names of a family; None where a program has none, and the step keeps a plainer one."""

    se: str | None
    hodoku: str | None
    sudokuwiki: str | None


def _fish(size: str) -> dict[str, _Names]:
    # Neither Explainer knows fins: it tells the chain that it has found. SudokuWiki has no fins of
    # jellyfish.
    finned = None if size == "jellyfish" else f"Finned {size.title()}"
    return {
        f"{kind.lower()} {size}": _Names(None, f"{kind} {size.title()}", finned)
        for kind in ("Finned", "Sashimi")
    }


def _forcing(name: str, prefix: str, suffix: str, hodoku: str) -> dict[str, _Names]:
    def se(kind: str) -> str:
        return f"{prefix}{kind} Forcing Chains{suffix}"

    return {
        f"{name}: cell": _Names(se("Cell"), f"{hodoku} Verity", "Cell Forcing Chain"),
        f"{name}: house": _Names(se("Region"), f"{hodoku} Verity", "Unit Forcing Chain"),
        f"{name}: double": _Names(se("Double"), f"{hodoku} Verity", "Digit Forcing Chain"),
        f"{name}: contradiction": _Names(
            se("Contradiction"), f"{hodoku} Contradiction", "Digit Forcing Chain"
        ),
    }


_POINTING = "Locked Candidates Type 1 (Pointing)"
_CLAIMING = "Locked Candidates Type 2 (Claiming)"
_LOOP = "Continuous Nice Loop"
_GRAVE = "Bivalue Universal Grave"
_LONGEST_LOOP = 50
"""Cells of the longest unique loop of a 25x25."""

NAMES: dict[str, _Names] = {
    "full house": _Names("Hidden Single", "Full House", "Hidden Single"),
    "hidden single": _Names(*3 * ["Hidden Single"]),
    "naked single": _Names(*3 * ["Naked Single"]),
    "direct pointing": _Names("Direct Pointing", _POINTING, "Pointing Pairs"),
    "direct claiming": _Names("Direct Claiming", _CLAIMING, "Box/Line Reduction"),
    "direct hidden pair": _Names("Direct Hidden Pair", "Hidden Pair", "Hidden Pair"),
    "direct hidden triplet": _Names("Direct Hidden Triplet", "Hidden Triple", "Hidden Triple"),
    "pointing": _Names("Pointing", _POINTING, "Pointing Pairs"),
    "claiming": _Names("Claiming", _CLAIMING, "Box/Line Reduction"),
    "naked pair": _Names(*3 * ["Naked Pair"]),
    "locked pair": _Names("Naked Pair", "Locked Pair", "Naked Pair"),
    "locked triplet": _Names("Naked Triplet", "Locked Triple", "Naked Triple"),
    "naked triplet": _Names("Naked Triplet", "Naked Triple", "Naked Triple"),
    "naked quad": _Names("Naked Quad", "Naked Quadruple", "Naked Quad"),
    "hidden pair": _Names(*3 * ["Hidden Pair"]),
    "hidden triplet": _Names("Hidden Triplet", "Hidden Triple", "Hidden Triple"),
    "hidden quad": _Names("Hidden Quad", "Hidden Quadruple", "Hidden Quad"),
    "X-wing": _Names(*3 * ["X-Wing"]),
    "swordfish": _Names(*3 * ["Swordfish"]),
    "jellyfish": _Names(*3 * ["Jellyfish"]),
    **_fish("X-wing"),
    **_fish("swordfish"),
    **_fish("jellyfish"),
    "XY-wing": _Names("XY-Wing", "XY-Wing", "Y-Wing"),
    "XYZ-wing": _Names("XYZ-Wing", "XYZ-Wing", "XYZ Wing"),
    "W-wing": _Names(None, "W-Wing", None),
    "WXYZ-wing": _Names("WXYZ-Wing", "Almost Locked Set XZ-Rule", "WXYZ Wing"),
    "VWXYZ-wing": _Names("VWXYZ-Wing", "Almost Locked Set XZ-Rule", "Almost Locked Sets"),
    "skyscraper": _Names("Skyscraper", "Skyscraper", "X-Cycle"),
    "two-string kite": _Names("Two-string Kite", "2-String Kite", "X-Cycle"),
    "turbot fish": _Names("Turbot Fish", "Turbot Fish", "X-Cycle"),
    "empty rectangle": _Names(None, "Empty Rectangle", "Grouped X-Cycle"),
    "simple colouring: trap": _Names(None, "Simple Colors Trap", "Simple Colouring"),
    "simple colouring: wrap": _Names(None, "Simple Colors Wrap", "Simple Colouring"),
    "X-chain": _Names(None, "X-Chain", "X-Cycle"),
    "grouped X-chain": _Names(None, "Grouped Discontinuous Nice Loop", "Grouped X-Cycle"),
    "X-cycle": _Names("Bidirectional X-Cycle", _LOOP, "X-Cycle"),
    "X-cycle: four cells": _Names("Generalized X-Wing", _LOOP, "X-Cycle"),
    "X-cycle: two links": _Names(None, _LOOP, "X-Cycle"),
    "grouped X-cycle": _Names(None, "Grouped Continuous Nice Loop", "Grouped X-Cycle"),
    "XY-chain": _Names(None, "XY-Chain", "XY-Chain"),
    "remote pair": _Names(None, "Remote Pair", "XY-Chain"),
    "Y-cycle": _Names("Bidirectional Y-Cycle", _LOOP, "XY-Chain"),
    "XY-cycle": _Names("Bidirectional Cycle", _LOOP, "Alternating Inference Chain"),
    "AIC": _Names(None, "AIC", "Alternating Inference Chain"),
    "nice loop": _Names(None, "Discontinuous Nice Loop", "Alternating Inference Chain"),
    "forcing X-chain": _Names("Forcing X-Chain", "X-Chain", "X-Cycle"),
    "forcing chain": _Names("Forcing Chain", "AIC", "Alternating Inference Chain"),
    "two strong links": _Names("Turbot Fish", "Turbot Fish", "X-Cycle"),
    "three strong links": _Names("3 Strong-linked Fishes", "X-Chain", "X-Cycle"),
    "ALS-XZ": _Names(None, "Almost Locked Set XZ-Rule", "Almost Locked Sets"),
    "sue de coq": _Names(None, "Sue de Coq", "Sue-de-Coq"),
    **{
        f"unique rectangle type {n}": _Names(
            f"Unique Rectangle type {2 if n == 5 else n}",
            f"Uniqueness Test {n}",
            f"Unique Rectangle Type {n}",
        )
        for n in (1, 2, 3, 4, 5)
    },
    **{
        f"unique loop type {n}": _Names(f"Unique Loop type {n}", None, "Extended Unique Rectangle")
        for n in (1, 2, 3, 4)
    },
    **{
        f"unique loop type {n}: {size} cells": _Names(
            f"Unique Loop {size} type {n}", None, "Extended Unique Rectangle"
        )
        for n in (1, 2, 3, 4)
        for size in range(8, _LONGEST_LOOP + 1, 2)
    },
    "BUG+1": _Names("BUG type 1", f"{_GRAVE} + 1", "BUG"),
    **{
        f"bivalue universal grave type {n}": _Names(f"BUG type {n}", None, "BUG") for n in (2, 3, 4)
    },
    "aligned pair exclusion": _Names("Aligned Pair Exclusion", None, "Aligned Pair Exclusion"),
    "aligned triplet exclusion": _Names("Aligned Triplet Exclusion", None, None),
    "nishio": _Names("Nishio Forcing Chains", "Forcing Net Contradiction", "Nishio Forcing Chain"),
    **_forcing("multiple forcing chains", "", "", "Forcing Chain"),
    **_forcing("dynamic forcing chains", "Dynamic ", "", "Forcing Net"),
    **_forcing("dynamic forcing chains with patterns", "Dynamic ", " (+)", "Forcing Net"),
    **_forcing(
        "dynamic forcing chains with chains", "Dynamic ", " (+ Forcing Chains)", "Forcing Net"
    ),
    **_forcing(
        "dynamic forcing chains with multiple chains",
        "Dynamic ",
        " (+ Multiple Forcing Chains)",
        "Forcing Net",
    ),
    **_forcing(
        "dynamic forcing chains with dynamic chains",
        "Dynamic ",
        " (+ Dynamic Forcing Chains)",
        "Forcing Net",
    ),
}
"""The names of every family."""


def styled_name(style: str, family: str, plain: str) -> str:
    """Return what a program calls a step of a family, or else of its plain technique.

    Raises
    ------
    ValueError
        For an unknown style.
    """
    if style not in STYLES or style == "nando":
        raise ValueError(f"style must be one of {', '.join(STYLES)}, got {style!r}")
    # The Explainers tell chains by their links, whatever pattern these make.
    wanted = (plain, family) if style == "se" and plain in _SE_TELLS else (family, plain)
    for name in wanted:
        found: str | None = getattr(NAMES[name], style)
        if found is not None:
            return found
    return plain[0].upper() + plain[1:]


_SE_TELLS = ("forcing X-chain", "forcing chain")
