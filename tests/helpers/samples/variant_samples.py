"""Samples of every rule of the variants of Sudoku, and two puzzles with one solution."""

from nando.puzzles import Variant

KILLER = Variant(
    "4x4+killer:r1c1r1c2r2c1:9+killer:r1c3r2c3r3c3:8+killer:r1c4r2c4:3+killer:r2c2r3c2r4c2:7"
    "+killer:r3c1r4c1:4+killer:r3c4r4c3r4c4:9"
)
MIXED = Variant("...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4")

SAMPLES = {
    "boxes": "4x4+no-boxes+boxes:2:2",
    "regions": "4x4+regions:1112122333243444",
    "diagonals": "4x4+no-boxes+diagonals 4x4+no-boxes+diagonals:rising",
    "windoku": "9x9+windoku",
    "disjoint-groups": "4x4+disjoint-groups",
    "centre-dot": "9x9+centre-dot",
    "asterisk": "9x9+asterisk",
    "girandola": "9x9+girandola",
    "argyle": "9x9+argyle",
    "extra-region": "4x4+extra-region:r1c2r2c1r3c3",
    "anti-knight": "4x4+anti-knight",
    "anti-king": "4x4+no-boxes+anti-king",
    "non-consecutive": "4x4+non-consecutive 4x4+no-boxes+non-consecutive:cyclic",
    "anti-taxicab": "4x4+no-boxes+anti-taxicab 6x6+anti-taxicab",
    "global-entropy": "4x4+no-boxes+global-entropy 6x6+global-entropy",
    "global-modular": "4x4+no-boxes+global-modular 6x6+global-modular",
    "killer": "4x4+killer:r1c1r1c2r2c1:6 4x4+killer:r1c1r2c2:4:repeats 4x4+killer:r1c1r2c3",
    "rellik": "4x4+rellik:r1c1r1c2r2c1:6 6x6+rellik:r1c1r2c2r3c3r3c4:6:repeats",
    "equal-sums": "4x4+equal-sums:r1c1r1c2-r2c3r3c3r3c4 4x4+equal-sums:r1c1r1c2-r2c3r3c3-r4c1r4c4",
    "look-and-say": "4x4+look-and-say:r1c1r2c2r3c3r2c1:2-1-1-3 4x4+look-and-say:r1c1r2c2:2-4",
    "little-killer": "4x4+little-killer:r1c2r2c3r3c4:7",
    "sandwich": "4x4+sandwich:left2:5 4x4+sandwich:bottom3:0",
    "x-sums": "4x4+x-sums:right1:6 4x4+x-sums:top4:1",
    "skyscraper": "4x4+skyscraper:top2:2 4x4+skyscraper:right3:4",
    "frame-sum": "4x4+frame-sum:left1:5 4x4+frame-sum:bottom2:4",
    "numbered-room": "4x4+numbered-room:left2:3 4x4+numbered-room:right2:1",
    "full-rank": "4x4+full-rank:left2:3 4x4+full-rank:top1:6 4x4+full-rank:right4:8:ties "
    "4x4+full-rank:bottom3:11:ties 6x6+full-rank:left1:3 6x6+full-rank:top4:22:ties",
    "kropki": "4x4+kropki:r1c1r1c2:r2c2r3c2:all-given 4x4+kropki:black=r1c1r1c2 "
    "4x4+kropki:r1c1r1c2:r2c2r3c2:all-black 6x6+kropki:r1c1r1c2:r2c2r3c2:all-white",
    "xv": "4x4+xv:v=r1c1r1c2-r2c3r2c4 4x4+xv:v=r1c1r1c2:all-given",
    "greater": "4x4+greater:r1c1r1c2-r2c3r1c3",
    "consecutive": "4x4+consecutive:r1c1r1c2:all-given 4x4+consecutive:r3c1r4c1",
    "difference": "4x4+difference:r1c1r1c2:2",
    "ratio": "4x4+ratio:r1c1r1c2:3 4x4+ratio:r1c1r1c2:all-given",
    "quadruple": "4x4+quadruple:r2c2r2c3r3c2r3c3:1-2 4x4+quadruple:r2c2r2c3r3c2r3c3:3-3",
    "thermometer": "4x4+thermometer:r4c1r3c1r2c2 4x4+thermometer:r4c1r3c2r2c3:slow",
    "arrow": "4x4+arrow:r1c1:r1c2r2c3 4x4+arrow:r1c1r1c2:r2c2r3c3r4c4r4c3 "
    "4x4+arrow:r4c3r4c4:r3c3r2c2r2c3r3c3",
    "palindrome": "4x4+palindrome:r1c1r1c2r2c3r3c3 4x4+palindrome:r1c1r1c2r2c2r2c1r1c1",
    "renban": "4x4+renban:r1c1r2c2r3c3 "
    "4x4+renban:r1c2r1c3r2c3r2c2r1c2 6x6+renban:r1c1r2c2r3c3r2c3r2c2r1c3",
    "nabner": "4x4+nabner:r1c1r2c2",
    "whispers": "4x4+whispers:r1c1r2c2r3c3:2 "
    "4x4+whispers:r1c2r1c3r2c3r2c2r1c2:2 6x6+whispers:r1c1r2c2r3c3r2c3r2c2r1c3:2",
    "parity": "4x4+parity:r1c1r2c2r3c3 4x4+parity:r1c1r1c2r2c2r2c1r1c1",
    "entropic": "6x6+entropic:r1c1r2c2r3c3r3c4 "
    "6x6+entropic:r1c1r1c2r1c3r2c4r2c3r2c2r1c1 6x6+entropic:r1c1r1c2r2c3r2c2r1c2r1c3",
    "modular": "4x4+modular:r1c1r2c1r3c2 4x4+modular:r1c1r1c2r2c2r1c1",
    "between": "4x4+between:r1c1r2c2r3c3 4x4+between:r1c1r2c2r3c3r2c2r1c3",
    "lockout": "4x4+lockout:r1c1r2c2r3c3:2 6x6+lockout:r1c1r2c2r3c3r3c4",
    "zipper": "4x4+zipper:r1c1r2c2r3c3 4x4+zipper:r1c1r2c1r3c2r4c3 "
    "4x4+zipper:r1c1r1c2r2c2r2c1r1c1r1c2",
    "region-sum": "4x4+region-sum:r2c1r2c2r2c3r3c4 4x4+region-sum:r1c2r1c3r2c3r2c2r1c2",
    "double-arrow": "4x4+double-arrow:r1c1r2c2r3c3r4c3",
    "sum-line": "4x4+sum-line:r1c1r2c1r3c2r4c3:5 6x6+sum-line:r1c1r2c1r3c2r4c3r5c4r6c5 "
    "4x4+sum-line:r1c1r1c2r2c3r2c2r1c1:5 6x6+sum-line:r1c1r1c2r2c2r2c1r1c1:10",
    "lunchbox": "4x4+lunchbox:r1c1r2c2r3c3r2c4:2 4x4+lunchbox:r1c1r2c2:0 "
    "6x6+lunchbox:r1c1r2c2r3c3r4c4r5c5r6c5:7 6x6+lunchbox:r1c1r2c5r3c3r4c2r6c5:8",
    "odd": "4x4+odd:r1c1r2c3",
    "even": "4x4+even:r1c1r2c3",
    "low": "4x4+low:r1c1",
    "high": "4x4+high:r1c1r1c2",
    "minimum": "4x4+minimum:r2c2r2c3",
    "maximum": "4x4+maximum:r1c1",
    "indexing": "4x4+indexing:r1c1r2c3 4x4+indexing:r1c2:right 4x4+indexing:r2c1r3c1:top "
    "4x4+indexing:r4c4:bottom",
    "box-indexing": "4x4+box-indexing:r1c1r2c3 4x4+box-indexing:r1c2:top-right "
    "4x4+box-indexing:r2c1r3c1:bottom-left:columns 6x6+box-indexing:r4c4r5c5:bottom-right "
    "4x4+regions:1112122333243444+box-indexing:r3c3",
    "counting-circles": "4x4+counting-circles:r1c1r2c2r3c3 "
    "6x6+counting-circles:r1c1r2c2r3c3r3c1r5c2",
    "clone": "4x4+clone:r1c1r1c2:r3c2r3c3",
    "candidates": "4x4+candidates:r1c1:1-3",
}
NOT_IN_4X4 = {
    "4x4+no-boxes+anti-king",
    "4x4+non-consecutive",
    "4x4+no-boxes+non-consecutive:cyclic",
    "4x4+no-boxes+anti-taxicab",
    "4x4+no-boxes+global-entropy",
    "4x4+no-boxes+global-modular",
    "4x4+kropki:r1c1r1c2:r2c2r3c2:all-given",
    "4x4+kropki:r1c1r1c2:r2c2r3c2:all-black",
    "4x4+xv:v=r1c1r1c2:all-given",
    "4x4+consecutive:r1c1r1c2:all-given",
    "4x4+ratio:r1c1r1c2:all-given",
}
"""Rules that no Latin square of this size obeys."""
TEXTS = [text for samples in SAMPLES.values() for text in samples.split()]
