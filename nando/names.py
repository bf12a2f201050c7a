"""Names that functions and commands take, as types: a misspelt one fails under a type checker."""

from typing import Literal

Kind = Literal["sudoku", "nurikabe"]
"""Kinds of puzzle."""

Grade = Literal["beginner", "easy", "medium", "tricky", "fiendish", "diabolical"]
"""Grades of difficulty, easiest first."""

Symmetry = Literal["none", "rotational", "rotational-90", "mirror", "diagonal"]
"""Symmetry of the givens: half turn, quarter turn, left and right, about the main diagonal."""

Order = Literal[3, 4, 5]
"""Orders of a Sudoku: 9x9, 16x16 and 25x25."""

Language = Literal["en", "de"]
"""Languages of steps, pages to play, and audits."""

Style = Literal["nando", "se", "hodoku", "sudokuwiki"]
"""Whose names steps take."""

Unit = Literal["seconds", "points"]
"""Units of predictions."""

ReadFormat = Literal["line", "sdm", "grid", "sdk", "csv"]
"""Formats that can be told to a reader; all others are recognised."""

WriteFormat = Literal[
    "line",
    "grid",
    "sdm",
    "sdk",
    "csv",
    "json",
    "f-puzzles",
    "sudokupad",
    "sudokuwiki",
    "pzprv3",
    "puzz.link",
    "penpa",
    "hodoku",
    "sdx",
    "sudokupad-json",
    "opensudoku",
]
"""Formats in which puzzles are written."""

Method = Literal[
    "exact",
    "brute_force",
    "refutation",
    "search_time",
    "digit_sweep",
    "ladder_race",
    "technique_race",
    "annealing",
    "harmony",
    "relaxation",
    "logic",
    "constraint_programming",
    "hybrid_annealing",
    "multistart",
    "distribution_estimation",
    "tabu",
    "cuckoo",
    "colouring_tabu",
    "belief_propagation",
    "particle_swarm",
    "cultural_swarm",
    "chaos",
]
"""Solvers by name."""

BookLanguage = Literal["en", "de", "fr", "es", "ja"]
"""Languages of books."""
