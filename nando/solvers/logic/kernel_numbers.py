"""The numbers of the kernels that find techniques on a grid of houses, in the column of ladders.

A technique of Sudoku and of variants has one number, whichever kernel finds it on each. A new
kernel takes a number at the end, a line in `find_by_houses` or a ladder, and a sentence in
:mod:`nando.solvers.logic.wording`.
"""

(
    HIDDEN_SINGLE,
    DIRECT_POINTING,
    DIRECT_CLAIMING,
    DIRECT_HIDDEN_SUBSET,
    NAKED_SINGLE,
    POINTING,
    CLAIMING,
    NAKED_SUBSET,
    HIDDEN_SUBSET,
    FISH,
    STRONG_LINKS,
    WING,
    LARGE_WING,
    UNIQUE_LOOP,
    BIVALUE_UNIVERSAL_GRAVE,
    ALIGNED,
    CHAIN,
    FORCING,
    NESTED_FORCING,
    RELATION,
    LOCKED,
    SUM,
    NEEDED,
    UNION,
    PATTERN,
    WHAT_IF,
    DILEMMA,
    DEEP_WHAT_IF,
    JOINT,
    SPLIT,
    W_WING,
) = range(31)

TRUSTING = (UNIQUE_LOOP, BIVALUE_UNIVERSAL_GRAVE)
"""Techniques that rely on the puzzle having a single solution."""

SEARCHES = (*TRUSTING, ALIGNED, CHAIN, FORCING, NESTED_FORCING)
"""Techniques that the ladder of rules leaves to that of houses."""

WHAT_IFS = (WHAT_IF, DILEMMA, DEEP_WHAT_IF)
"""Techniques that follow assumptions through all rules of a variant."""
