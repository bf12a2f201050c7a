"""Puzzles on grids of houses, each with one solution: what holds on one has to hold on all."""

from helpers.samples.logic_patterns import PUZZLES
from nando.puzzles import Variant

KILLER = (
    "killer:r1c1r1c2r2c2:11+killer:r1c3r2c3:4+killer:r1c4r1c5r2c4:15+killer:r1c6r2c6:4+killer:r2c1r3c1r4"
    "c1r4c2:18+killer:r2c5r3c5r3c6r4c5:14+killer:r3c2r3c3r4c3:9+killer:r3c4r4c4r5c4r5c5:10+killer:r4c6r5"
    "c6:6+killer:r5c1r5c2:9+killer:r5c3r6c1r6c2r6c3r6c4:18+killer:r6c5r6c6:8"
)
"""The cages of a 6x6; its only innie or outie is its hardest step."""

HOUSE_PUZZLES = {
    "Sudoku": PUZZLES["VWXYZ-wing 6.4"],
    "6x6": Variant("..3...412....2.5....1..6...6.3...4.."),
    "killer": Variant(f".....3.4............................+{KILLER}"),
    "thermometer": Variant(
        "..5.3...............................+thermometer:r2c5r3c5r4c4"
        "+thermometer:r4c1r5c2r6c3r6c4r5c5+thermometer:r4c5r5c4r4c3r4c2r3c1"
    ),
    "diagonals": Variant("......2..3..4.......5............1..+diagonals"),
}
