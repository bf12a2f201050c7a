"""Literal types of the names that functions and commands accept, for type checkers."""

from typing import Literal

Kind = Literal["sudoku", "nurikabe", "variant"]
"""Kinds of puzzle."""

Grade = Literal["beginner", "easy", "medium", "tricky", "fiendish", "diabolical"]
"""Grades of difficulty, easiest first."""

Symmetry = Literal["none", "rotational", "rotational-90", "mirror", "diagonal"]
"""Symmetries of the givens: none, half turn, quarter turn, left and right, main diagonal."""

Look = Literal["newspaper", "setter"]
"""Looks of variants: clues that carry the puzzle; no givens, and few long clues."""

Order = Literal[3, 4, 5]
"""Orders of a Sudoku: 9x9, 16x16 and 25x25."""

Language = Literal["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja"]
"""Languages of books, and of steps in words."""

PageLanguage = Literal["en", "de"]
"""Languages of pages to play, contests and audits."""

Style = Literal["nando", "se", "hodoku", "sudokuwiki"]
"""Programs whose names of techniques can be used."""

ReadFormat = Literal["line", "sdm", "grid", "sdk", "csv"]
"""Formats that a reader can be given; it recognises all others."""

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
    "lisudoku",
    "sumocue",
    "killer",
    "cages",
    "f-puzzles-json",
    "lisudoku-json",
    "ipuz",
    "pencilmark",
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
    "variant_race",
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
PictureFormat = Literal["svg", "png", "pdf"]
"""A format of pictures of puzzles and steps, which is also the suffix of their files."""
