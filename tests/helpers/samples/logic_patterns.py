"""Patterns and puzzles made for the tests of the logic solver."""

from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.logic.sudoku_finders.aligned import find_aligned
from nando.solvers.logic.sudoku_finders.links import find_strong_links
from nando.solvers.logic.sudoku_finders.loops import find_unique_loop
from nando.solvers.logic.sudoku_finders.singles import (
    find_hidden_single,
    find_locked,
    find_naked_single,
)
from nando.solvers.logic.sudoku_finders.subsets import (
    find_fish,
    find_hidden_subset,
    find_naked_subset,
)
from nando.solvers.logic.sudoku_finders.wings import find_large_wing, find_wing


def cells(text):
    """Return the cells of ``r2c7``, a row ``r2``, a column ``c7``, a box ``b3``, or several."""
    found = set()
    for name in text.split():
        if len(name) == 4:
            found.add((int(name[1]) - 1) * 9 + int(name[3]) - 1)
        else:
            kind = "rcb".index(name[0])
            found |= set(sudoku_layout(3).houses[kind * 9 + int(name[1]) - 1].tolist())
    return found


def pattern(given, only):
    """Return the candidates of an empty grid, restricted in some cells and houses.

    `given` maps cells to their candidates. `only` lists (digits, house, cells): in that house, the
    digits are candidates of these cells alone.
    """
    candidates = [set(range(1, 10)) for _ in range(81)]
    for name, digits in given.items():
        for cell in cells(name):
            candidates[cell] = set(map(int, digits))
    for digits, house, stay in only:
        for cell in cells(house) - cells(stay):
            candidates[cell] -= set(map(int, digits))
    return candidates


PATTERNS = [
    # name, kernel, arguments, candidates, (digits only, in house, at cells)s, rating,
    # eliminations as {digits: cells} or a placement
    ("box", find_hidden_single, (1, 12), {}, [("1", "b1", "r2c2")], 12, ("r2c2", 1)),
    ("line", find_hidden_single, (2, 15), {}, [("1", "c2", "r2c2")], 15, ("r2c2", 1)),
    ("naked single", find_naked_single, (23,), {"r4c5": "7"}, [], 23, ("r4c5", 7)),
    (
        "direct pointing",
        find_locked,
        (False, True, 17),
        {},
        [("1", "b1", "r1c1 r1c2"), ("1", "b2", "r1c4 r2c5")],
        17,
        ("r2c5", 1),
    ),
    (
        "direct claiming",
        find_locked,
        (True, True, 19),
        {},
        [("1", "r1", "r1c1 r1c2"), ("1", "r2", "r2c3 r2c5")],
        19,
        ("r2c5", 1),
    ),
    (
        "direct hidden pair",
        find_hidden_subset,
        (2, True, 20),
        {},
        [("12", "r1", "r1c1 r1c2"), ("3", "r1", "r1c1 r1c5")],
        20,
        ("r1c5", 3),
    ),
    (
        "direct hidden triplet",
        find_hidden_subset,
        (3, True, 25),
        {},
        [("12", "c1", "r1c1 r2c1 r7c1"), ("3", "c1", "r1c1 r7c1"), ("4", "c1", "r2c1 r9c1")],
        25,
        ("r9c1", 4),
    ),
    (
        "pointing",
        find_locked,
        (False, False, 26),
        {},
        [("1", "b1", "r1c1 r1c2")],
        26,
        {"1": "r1 - b1"},
    ),
    (
        "claiming",
        find_locked,
        (True, False, 28),
        {},
        [("1", "r1", "r1c1 r1c2")],
        28,
        {"1": "b1 - r1"},
    ),
    (
        "naked pair",
        find_naked_subset,
        (2, 30),
        {"r1c1 r1c5": "12"},
        [],
        30,
        {"12": "r1 - r1c1 r1c5"},
    ),
    (
        "naked triplet",
        find_naked_subset,
        (3, 36),
        {"r1c1": "12", "r1c5": "23", "r1c9": "13"},
        [],
        36,
        {"123": "r1 - r1c1 r1c5 r1c9"},
    ),
    (
        "naked quad",
        find_naked_subset,
        (4, 50),
        {"r1c1": "12", "r1c5": "23", "r1c9": "34", "r1c4": "1234"},
        [],
        50,
        {"1234": "r1 - r1c1 r1c4 r1c5 r1c9"},
    ),
    (
        "hidden pair",
        find_hidden_subset,
        (2, False, 34),
        {},
        [("12", "r1", "r1c1 r1c5")],
        34,
        {"3456789": "r1c1 r1c5"},
    ),
    (
        "hidden triplet",
        find_hidden_subset,
        (3, False, 40),
        {},
        [("1", "c1", "r1c1 r5c1"), ("2", "c1", "r5c1 r9c1"), ("3", "c1", "r1c1 r9c1")],
        40,
        {"456789": "r1c1 r5c1 r9c1"},
    ),
    (
        "hidden quad",
        find_hidden_subset,
        (4, False, 54),
        {},
        [("1234", "c1", "r1c1 r5c1 r8c1 r9c1")],
        54,
        {"56789": "r1c1 r5c1 r8c1 r9c1"},
    ),
    (
        "X-wing",
        find_fish,
        (2, 32),
        {},
        [("1", "c1", "r2c1 r7c1"), ("1", "c5", "r2c5 r7c5")],
        32,
        {"1": "r2 r7 - c1 c5"},
    ),
    (
        "swordfish",
        find_fish,
        (3, 38),
        {},
        [("1", "r1", "r1c2 r1c5"), ("1", "r4", "r4c5 r4c8"), ("1", "r9", "r9c2 r9c8")],
        38,
        {"1": "c2 c5 c8 - r1 r4 r9"},
    ),
    (
        "jellyfish",
        find_fish,
        (4, 52),
        {},
        [
            ("1", "c1", "r1c1 r3c1"),
            ("1", "c4", "r3c4 r5c4"),
            ("1", "c6", "r5c6 r8c6"),
            ("1", "c9", "r8c9 r1c9"),
        ],
        52,
        {"1": "r1 r3 r5 r8 - c1 c4 c6 c9"},
    ),
    (
        "XY-wing",
        find_wing,
        (2, 42),
        {"r1c1": "12", "r1c5": "13", "r2c2": "23"},
        [],
        42,
        {"3": "r1c2 r1c3 r2c4 r2c5 r2c6"},
    ),
    (
        "XYZ-wing",
        find_wing,
        (3, 44),
        {"r1c1": "123", "r1c5": "13", "r2c2": "23"},
        [],
        44,
        {"3": "r1c2 r1c3"},
    ),
    (
        "skyscraper",
        find_strong_links,
        (2, 40),
        {},
        [("1", "c1", "r2c1 r9c1"), ("1", "c5", "r3c5 r9c5")],
        40,
        {"1": "r2c4 r2c6 r3c2 r3c3"},
    ),
    (
        "kite",
        find_strong_links,
        (2, 40),
        {},
        [("1", "r1", "r1c2 r1c8"), ("1", "c1", "r2c1 r8c1")],
        41,
        {"1": "r8c8"},
    ),
    (
        "turbot fish",
        find_strong_links,
        (2, 40),
        {},
        [("1", "r1", "r1c2 r1c8"), ("1", "b7", "r7c2 r8c3")],
        42,
        {"1": "r8c8"},
    ),
    (
        "empty rectangle",
        find_strong_links,
        (2, 40),
        {},
        [("1", "b5", "r4c4 r4c5 r5c6 r6c6"), ("1", "c2", "r4c2 r9c2")],
        43,
        {"1": "r9c6"},
    ),
    (
        "three skyscrapers",
        find_strong_links,
        (3, 54),
        {},
        [("1", "c1", "r2c1 r9c1"), ("1", "c5", "r9c5 r6c5"), ("1", "c9", "r6c9 r3c9")],
        54,
        {"1": "r2c7 r2c8 r3c2 r3c3"},
    ),
    (
        "WXYZ-wing",
        find_large_wing,
        (3, 55),
        {"r1c1": "12", "r1c5": "13", "r1c9": "14", "r2c2": "24"},
        [],
        55,
        {"4": "r1c2 r1c3 r2c7 r2c8 r2c9"},
    ),
    (
        "VWXYZ-wing",
        find_large_wing,
        (4, 62),
        {"r1c1": "12", "r1c4": "13", "r1c5": "14", "r1c9": "15", "r2c2": "25"},
        [],
        63,
        {"5": "r1c2 r1c3 r2c7 r2c8 r2c9"},
    ),
    (
        "unique rectangle 1",
        find_unique_loop,
        (45,),
        {"r1c1 r1c4 r2c1": "12", "r2c4": "123"},
        [],
        45,
        {"12": "r2c4"},
    ),
    (
        "unique rectangle 2",
        find_unique_loop,
        (45,),
        {"r1c1 r1c4": "12", "r2c1 r2c4": "123"},
        [],
        45,
        {"3": "r2 - r2c1 r2c4"},
    ),
    (
        "unique rectangle 3, naked",
        find_unique_loop,
        (45,),
        {"r1c1 r1c4": "12", "r2c1": "123", "r2c4": "124", "r2c7": "34"},
        [],
        46,
        {"34": "r2 - r2c1 r2c4 r2c7"},
    ),
    (
        "unique rectangle 3, hidden",
        find_unique_loop,
        (45,),
        {"r1c1 r1c4": "12", "r2c1": "123", "r2c4": "124"},
        [("12", "r2", "r2c1 r2c4 r2c7")],
        45,
        {"3456789": "r2c7"},
    ),
    (
        "unique rectangle 4",
        find_unique_loop,
        (45,),
        {"r1c1 r1c4": "12", "r2c1": "1235", "r2c4": "1246"},
        [("1", "r2", "r2c1 r2c4")],
        45,
        {"2": "r2c1 r2c4"},
    ),
    (
        "unique loop of six",
        find_unique_loop,
        (45,),
        {"r1c1 r1c4 r2c4 r2c2 r4c2": "12", "r4c1": "123", "r2c1 r1c2": "3456789"},
        [],
        46,
        {"12": "r4c1"},
    ),
    (
        "aligned pair exclusion",
        find_aligned,
        (2, 62),
        {"r1c1": "123", "r1c2": "345", "r1c5": "34", "r2c3": "35"},
        [],
        62,
        {"3": "r1c1"},
    ),
]

_PUZZLES = """
hidden single in box
..6..5.7..8.7...1.57.4......3..596......4..2...1..3......9..7.......2.34248....51
hidden single in line
41..2.7.9..............74.3.4.6..9..6..2..83.....9..6..8.9326..5...64.2....5....8
direct pointing
...6.7...8...517691..8....3.79....41.2......7.....9....543...1.2......3.....2.8.5
direct hidden pair
85..6.97.9.....1.........5.3678..5......4..38....5.6..1......4.58..143.97....3...
naked single
..2.6.9...5.3....1.4.9.2.3..37.4..6.......87..8......2..5.8..94.1.....85.....53.6
direct hidden triplet
.58...7....1..78........1....78....3.34...5..9..3....68..9.4..7.7.5.8...54.7.6.9.
pointing
........2...2.167..7.4.8...4395..2.......4..5.85.3.7..7...8...49.4..3...32.....9.
claiming
....71..2.2...3.....5....7.4.....2....83......79...385.....24.7.4..15...592.4.8.1
naked pair
.4...58.3....3..7...7.6....28.....31...3...8..13..4527..41......9..42....2....9..
X-wing
..81.39......9.....3.687.......14.8..5.2..6.....75..347.1...8.6.2....491.........
hidden pair
.2..68...9..7.1..5.3..591........6......9.....7362..8...4.....1....8.5...95.1.47.
naked triplet
.2........63.78.....7.9.5.....2...9...2..6.....583.2.19..4.7..67...81..9......4..
swordfish
.8...53.4...78..5...64..27..............1.7932..9.758..2.67......38.94...6.......
two strong links
9.....1....5....262....9.35.......1.341.2...9..9.8.36.6....5....2.9.86.3...2.3.4.
hidden triplet
.....8....98......6..37.1..4......5..3952.8....5.3.94....2.....8..6.3..431...7.2.
two strong links 4.1
...5...17.21.86.3..56....92.3.81.....6...3.21.......7.9.26.....68........73.....9
two strong links 4.2
93.1.67............4..9.3..8.4.1.6..26...3..9...8.......9.5.4......38..7.876..9.3
XY-wing
9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5
two strong links 4.3
.1.4.653.......6....3.9..2..698..2......5....4..6.93.58......4...61.....74..2.9..
XYZ-wing
....2.34.8.....6..4..3.8.756..58.9...7.6..4....89.....2.58...93.........7.3.5...4
unique loop
.8.53....4..2........641.8.6..............9.15931....78...6.1.5..14..896.5....7..
unique loop 4.6
...59.3..5.64...97.....7..2......8..3..9...2.4..28...5.61.....9.8.6..2..2..7....8
unique loop 4.7
......6......3...937....45..648.7...21..................617..4.9..2.6.38.2...57..
naked quad
...15.....3........5.4.9..8.7...52.4..6.......946...7.8.....1..7.......56..81.3..
unique loop 5.0
....84..69.....1756..5....2...1..8...7..589.414...7....9.4.........7........1..5.
jellyfish
....8...3..2.7.56...9....2...1.376.....26.3.1.4...9.............6....7149..6.4...
three strong links
.92...83...4....5........291.9.347..6.7..84.....6...8.........6.568..97..1..9....
WXYZ-wing
.2.........4...18.....2..3.3.571...921....85.4....2..19...473..5...9.6.....6.3.9.
three strong links 5.5
7..2.5..4.9.3....1.8..9..2..........5.1....6...38....295.4..63.....79...2..53.4..
WXYZ-wing 5.6
..7..698.....5......68.9...4.....75.8.2.45.1...59.1.4.79....5.....2.3...3.4.8....
bivalue universal grave
6.3.451.8....81....2..7...43.....2.6...1.....94.....7.5....84...9...236....73....
three strong links 5.6
......83....369....1..82..63..7..4.5.5.........2..5.83...6...985..........8.9167.
three strong links 5.7
..54...1......27.5.83.7.26.....165.2.5...7....18.5.6.3.71......3.........4...3..6
bivalue universal grave 5.7
27...4.89..6.93..25.9........5.69..3.....24.73.2..7..6........8...4..73...7......
VWXYZ-wing
.9.2.8.1..4....23.......8.9...6......3...19.27.8.....16.......8.5..9.4..9..3.2..6
VWXYZ-wing 6.3
.8327.9..4..9....7..9.4...6........173...98..59.48......73.....3.......2..67...48
VWXYZ-wing 6.4
..24......79.56.......2.9431...7...8.9....63..68.........1.25......6..2...1..487.
unique loop, type 1
.2.35..49...2.9...56..1...........5.9..672....1.....621.57....6..35..2...9...3.8.
unique loop, type 2
9..734....7.6.1.....3...4..2.7.....6.....3.5..3.1....7..9412.....2....9581..9.7..
unique loop, type 4
97...3....12..5..73.6.....5..9.526.....43..2...3.1.4..6.....71.....6.3..8......9.
unique loop, type 3
.....54.842..9..1.56..........5....7....315.2.1.2.8...2..9.....1.7....433.....8..
hidden quad
.3.81.......6.......15.9....9........54.....7.23.75..1.42.....8........9.869..2.3
bivalue universal grave, type 1
........5...69..34....8..7..73.5....4..23..5..5.7.8.4..14.6..2.68.1..3..7........
bivalue universal grave, type 4
25.63......1.........5...7.4.5.7....1...2..5....3.67...6.283......46...234....8..
bivalue universal grave, type 2
.4......95......2.....4.37..534...8.2.....43....3...1.4.29.8...6....5..88..1..7..
bivalue universal grave, type 3
.3...6....1.3..47........5.....7.5......9..18.64.183....3.25.........72..58..1...
aligned pair exclusion
.54.......3......8....58.37..6....15...7..3.99........46..1.5....1...89.5.9..2..1
"""

_LINES = _PUZZLES.strip().splitlines()
PUZZLES = dict(zip(_LINES[::2], map(Sudoku, _LINES[1::2]), strict=True))
"""A puzzle for each technique, and for some of its ratings or types, that uses it."""

ONLY_EXPLAINER = {
    "unique loop, type 1",
    "unique loop, type 2",
    "unique loop, type 4",
    "unique loop, type 3",
    "hidden quad",
    "bivalue universal grave, type 1",
    "bivalue universal grave, type 4",
    "bivalue universal grave, type 2",
    "bivalue universal grave, type 3",
    "aligned pair exclusion",
}
"""Puzzles that show a rare technique on the ladder of Sudoku Explainer."""
