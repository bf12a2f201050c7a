"""Families by name: each is one by its definition, and every style has names for all."""

import dataclasses
import re
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from helpers.oracles.logic import Marks, possible
from helpers.samples.logic_patterns import ONLY_EXPLAINER, PUZZLES

from nando.puzzles import Sudoku
from nando.solvers import logic
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.house_walk import every_step
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording.families import family_of, plain_name
from nando.solvers.logic.wording.recognised import coq_removes, sue_de_coq
from nando.solvers.logic.wording.record import NAMES, styled_name

# The definitions of families: plain Python over sets, without nando. Each check takes the marks,
# the cells, digits and houses of the supposed pattern, and its removals.


def positions(marks, digit, house):
    return marks.at(digit, house)


def conjugate(marks, digit, one, other):
    """Return True if a digit has just these two positions in some house."""
    return any(positions(marks, digit, house) == {one, other} for house in marks.houses)


def ends_seen(marks, ends, gone):
    return all(all(marks.see(cell, end) for end in ends) for cell, _ in gone)


def lines_of(marks, kind, cells):
    return [line for line in (marks.rows, marks.columns)[kind] if line & set(cells)]


def single_digit(digits, gone):
    (digit,) = digits
    assert {d for _, d in gone} == {digit}
    return digit


def two_links(marks, cells, digit, gone):
    """Yield the ways to read four cells as two conjugate pairs whose inner ends see each other."""
    for outer, inner, other_inner, other_outer in permutations(cells):
        if (
            conjugate(marks, digit, outer, inner)
            and conjugate(marks, digit, other_inner, other_outer)
            and marks.see(inner, other_inner)
            and ends_seen(marks, (outer, other_outer), gone)
        ):
            yield outer, inner, other_inner, other_outer


def skyscraper(marks, cells, digits, houses, gone):
    digit = single_digit(digits, gone)
    for a, b, c, d in two_links(marks, cells, digit, gone):
        for kind in (0, 1):
            lines = [line for line in (marks.rows, marks.columns)[kind] if line & {a, b, c, d}]
            across = (marks.columns, marks.rows)[kind]
            two = len(lines) == 2 and {frozenset(positions(marks, digit, x)) for x in lines} == {
                frozenset({a, b}),
                frozenset({c, d}),
            }
            if two and any({b, c} <= line for line in across):
                return not any({a, d} <= line for line in across)
    return False


def kite(marks, cells, digits, houses, gone):
    digit = single_digit(digits, gone)
    for a, b, c, d in two_links(marks, cells, digit, gone):
        row = any(positions(marks, digit, row) == {a, b} for row in marks.rows)
        column = any(positions(marks, digit, column) == {c, d} for column in marks.columns)
        if row and column and any({b, c} <= box and not {a, d} & box for box in marks.boxes):
            return True
    return False


def turbot_fish(marks, cells, digits, houses, gone):
    return any(two_links(marks, cells, single_digit(digits, gone), gone))


def empty_rectangle(marks, cells, digits, houses, gone):
    digit = single_digit(digits, gone)
    for box in marks.boxes:
        inside = positions(marks, digit, box)
        for row in marks.rows:
            for column in marks.columns:
                if not row & column & box or inside - row - column or not inside:
                    continue
                if not (inside - row and inside - column):
                    continue
                for across, along, lines in (
                    (row, column, marks.rows),
                    (column, row, marks.columns),
                ):
                    for pair_line in lines:
                        pair = positions(marks, digit, pair_line)
                        if len(pair) != 2 or pair_line is across or inside & pair_line:
                            continue
                        near = pair & along
                        if len(near) != 1 or set(cells) != inside | pair:
                            continue
                        (far,) = pair - near
                        if all(cell in across and marks.see(cell, far) for cell, _ in gone):
                            return True
    return False


def x_chain(marks, cells, digits, houses, gone):
    digit = single_digit(digits, gone)

    def walk(path):
        if len(path) == len(cells):
            return len(path) % 2 == 0 and ends_seen(marks, (path[0], path[-1]), gone)
        for cell in set(cells) - set(path):
            strong = len(path) % 2 == 1
            joined = (
                conjugate(marks, digit, path[-1], cell) if strong else marks.see(path[-1], cell)
            )
            if joined and walk([*path, cell]):
                return True
        return False

    return any(walk([cell]) for cell in cells)


def simple_colouring(marks, cells, digits, houses, gone):
    digit = single_digit(digits, gone)
    colours, waiting = {cells[0]: 0}, [cells[0]]
    while waiting:
        cell = waiting.pop()
        for other in range(len(marks.candidates)):
            if other not in colours and other != cell and conjugate(marks, digit, cell, other):
                colours[other] = 1 - colours[cell]
                waiting.append(other)
    seen = [
        {colour for cell, colour in colours.items() if marks.see(victim, cell)}
        for victim, _ in gone
    ]
    return set(cells) <= set(colours) and all(two == {0, 1} for two in seen)


def w_wing(marks, cells, digits, houses, gone):
    for one, two, x, y in permutations(cells):
        pair = marks.candidates[one]
        if len(pair) != 2 or marks.candidates[two] != pair:
            continue
        for linked in pair:
            (other,) = pair - {linked}
            if (
                conjugate(marks, linked, x, y)
                and marks.see(one, x)
                and marks.see(y, two)
                and {d for _, d in gone} == {other}
                and ends_seen(marks, (one, two), gone)
            ):
                return True
    return False


def xy_chain(marks, cells, digits, houses, gone):
    ((removed),) = {d for _, d in gone}
    if any(len(marks.candidates[cell]) != 2 for cell in cells):
        return False

    def walk(path, carried):
        if len(path) == len(cells):
            return carried == removed and ends_seen(marks, (path[0], path[-1]), gone)
        for cell in set(cells) - set(path):
            if marks.see(path[-1], cell) and carried in marks.candidates[cell]:
                (passed_on,) = marks.candidates[cell] - {carried}
                if walk([*path, cell], passed_on):
                    return True
        return False

    for start in cells:
        if removed in marks.candidates[start]:
            (carried,) = marks.candidates[start] - {removed}
            if walk([start], carried):
                return True
    return False


def remote_pair(marks, cells, digits, houses, gone):
    same = len({frozenset(marks.candidates[cell]) for cell in cells}) == 1
    return (
        same
        and len(cells) >= 4
        and len(cells) % 2 == 0
        and xy_chain(marks, cells, digits, houses, gone)
    )


def finned_fish(kind, size):
    def check(marks, cells, digits, houses, gone):
        digit = single_digit(digits, gone)
        base = [marks.houses[house] for house in houses[: len(houses) // 2]]
        cover = set.union(*(marks.houses[house] for house in houses[len(houses) // 2 :]))
        inside = [positions(marks, digit, line) for line in base]
        fins = set.union(*inside) - cover
        left = [len(line - fins) for line in inside]
        return (
            len(base) == len(houses) - len(base) == size
            and len(fins) > 0
            and min(left) >= 1
            and (min(left) >= 2) == (kind == "finned")
            and set(cells) == set.union(*inside)
            and all(
                cell in cover
                and cell not in set.union(*base)
                and all(marks.see(cell, fin) for fin in fins)
                for cell, _ in gone
            )
        )

    return check


def als_xz(marks, cells, digits, houses, gone):
    """Return True if two almost locked sets with a restricted common make the removals."""

    def almost(some):
        here = set.union(*(marks.candidates[cell] for cell in some))
        return len(here) == len(some) + 1 and any(set(some) <= house for house in marks.houses)

    def restricted(one, other):
        return any(
            all(marks.see(a, b) for a in marks.at(d, one) for b in marks.at(d, other))
            for d in marks.digits
            if marks.at(d, one) and marks.at(d, other)
        )

    parts = [
        (set(one), set(cells) - set(one))
        for n in range(1, len(cells))
        for one in combinations(cells, n)
    ]
    return any(
        almost(one) and almost(other) and restricted(one, other) for one, other in parts
    ) and all(not possible(marks, list(cells), removed) for removed in gone)


def rectangle(marks, cells):
    rows, columns = lines_of(marks, 0, cells), lines_of(marks, 1, cells)
    boxes = [box for box in marks.boxes if box & set(cells)]
    return len(cells) == 4 and len(rows) == len(columns) == len(boxes) == 2


def unique_rectangle(kind):
    def check(marks, cells, digits, houses, gone):
        pair = min((marks.candidates[cell] for cell in cells), key=len)
        rich = [cell for cell in cells if marks.candidates[cell] != pair]
        extras = set.union(*(marks.candidates[cell] for cell in rich)) - pair
        if not rectangle(marks, cells) or any(not pair <= marks.candidates[c] for c in cells):
            return False
        if kind == 1:
            return len(rich) == 1 and set(gone) <= {(rich[0], d) for d in pair}
        together = any(set(rich) <= house for house in marks.houses)
        if kind in (2, 5):
            fits = len(extras) == 1 and ends_seen(marks, rich, gone)
            return fits and (len(rich) == 2 and together) == (kind == 2)
        if kind == 4:
            (kept,) = pair - {d for _, d in gone}
            inside = [h for h in marks.houses if marks.at(kept, h) == set(rich)]
            return len(rich) == 2 and bool(inside) and {cell for cell, _ in gone} <= set(rich)
        return len(rich) == 2 and together and len(extras) > 1

    return check


def bug_plus_one(marks, cells, digits, houses, gone):
    (cell,) = cells
    sizes = [
        len(candidates) for c, candidates in enumerate(marks.candidates) if candidates and c != cell
    ]
    extra = {
        digit
        for digit in marks.candidates[cell]
        if any(len(marks.at(digit, house)) == 3 for house in marks.houses if cell in house)
    }
    return set(sizes) == {2} and not extra & {d for _, d in gone} and {c for c, _ in gone} == {cell}


CHECKS = {
    "skyscraper": skyscraper,
    "two-string kite": kite,
    "turbot fish": turbot_fish,
    "empty rectangle": empty_rectangle,
    "X-chain": x_chain,
    "simple colouring": simple_colouring,
    "W-wing": w_wing,
    "XY-chain": xy_chain,
    "remote pair": remote_pair,
    **{
        f"{kind} {name}": finned_fish(kind, size)
        for kind in ("finned", "sashimi")
        for size, name in ((2, "X-wing"), (3, "swordfish"), (4, "jellyfish"))
    },
    "ALS-XZ": als_xz,
    **{f"unique rectangle type {kind}": unique_rectangle(kind) for kind in (1, 2, 3, 4, 5)},
    "BUG+1": bug_plus_one,
}


LADDER = tuple(
    t
    for t in logic.SUKAKU_EXPLAINER
    if t.kernel != kernels.NESTED_FORCING and "dynamic" not in t.name and t.rating < 8.5
)


def listed(every=1):
    """Yield steps at positions of walks, each with its marks."""
    for name, puzzle in [*PUZZLES.items()][::every]:
        ladder = logic.SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else logic.SUKAKU_EXPLAINER
        taken = [t for t in logic.walk_through(puzzle, ladder).steps if t.step.placement is None]
        for one in taken[::5]:
            for step in every_step(one.position, LADDER, np.zeros(1, np.int64)):
                yield step, one.position


@pytest.fixture(scope="module")
def named():
    return [(step, marks, family_of(step, marks)) for step, marks in listed()]


@pytest.fixture(scope="module")
def some_named():
    return [(step, family_of(step, marks)) for step, marks in listed(every=20)]


def naive(marks):
    return Marks([set(marks.digits(cell)) for cell in range(marks.values.size)])


@pytest.mark.thorough
def test_every_named_pattern_is_one_by_definition(named):
    seen = Counter()
    boards = {}
    for step, marks, family in named:
        name = family.name.partition(":")[0]
        if name not in CHECKS or seen[name] >= 150:
            continue
        seen[name] += 1
        board = boards.setdefault(id(marks), naive(marks))
        cells = tuple(dict.fromkeys(family.cells))
        assert set(cells) <= set(step.cells), family
        assert CHECKS[name](board, cells, family.digits, family.houses, step.eliminations), (
            name,
            family,
            step,
        )
    rare = {"finned jellyfish", "sashimi jellyfish", "sashimi swordfish", "BUG+1"}
    rare |= {"unique rectangle type 5", "remote pair"}
    assert set(CHECKS) - rare <= set(seen)


@pytest.mark.thorough
def test_a_check_fails_where_the_pattern_is_broken(named):
    """A pattern without the candidates of one of its cells, or with one more, is rejected."""
    broken = Counter()
    for step, marks, family in named:
        name = family.name.partition(":")[0]
        if name not in ("skyscraper", "two-string kite", "W-wing", "XY-chain", "X-chain"):
            continue
        if broken[name] >= 5:
            continue
        candidates = marks.candidates.copy()
        candidates[family.cells[0]] = marks.values[family.cells[0]] == 0
        digit = family.digits[0]
        for house in marks.houses_of((family.cells[0],)):
            for cell in marks.house(house):
                candidates[cell, digit - 1] |= not marks.values[cell]
        board = naive(logic.PencilMarks(marks.puzzle, marks.values, candidates))
        cells = tuple(dict.fromkeys(family.cells))
        if not CHECKS[name](board, cells, family.digits, family.houses, step.eliminations):
            broken[name] += 1
    assert len(broken) == 5


def test_sue_de_coq_is_explained_by_its_parts():
    """Three cells of box 1 on row 1 have five digits, with a pair each in the row and the box."""
    given = {0: "1234", 1: "125", 2: "345", 5: "12", 10: "34"}
    marks = np.ones((81, 9), np.bool_)
    for cell, digits in given.items():
        marks[cell] = [str(digit + 1) in digits for digit in range(9)]
    board = logic.PencilMarks(Sudoku("." * 81), np.zeros(81, np.int8), marks)
    removed = coq_removes(board, 18, 0, ((0, 1, 2), (5,), (10,)))
    assert {(8, 1), (8, 2), (8, 5), (20, 3), (20, 4), (20, 5)} <= removed
    assert not {(8, 3), (20, 1)} & removed
    technique = next(t for t in logic.SUKAKU_EXPLAINER if t.name == "chain")
    step = LogicStep(technique, 7.0, 5, (), (0, 1, 2, 5, 10, 8), (1, 2, 3, 4, 5), None, ((8, 1),))
    found = sue_de_coq(step, board)
    assert found.name == "sue de coq"
    assert set(found.cells) == set(given)
    assert sue_de_coq(step, logic.PencilMarks.of(Sudoku("." * 81))) is None


def test_a_remote_pair_is_named():
    """Four cells have the same pair, and each sees the next."""
    marks = np.ones((81, 9), np.bool_)
    for cell in (0, 36, 40, 32):
        marks[cell] = [digit < 2 for digit in range(9)]
    board = logic.PencilMarks(Sudoku("." * 81), np.zeros(81, np.int8), marks)
    chain = next(t for t in logic.SUKAKU_EXPLAINER if t.name == "chain")
    gone = {}
    for step in every_step(board, (chain,), np.zeros(1, np.int64)):
        family = family_of(step, board)
        if family.name == "remote pair":
            gone[step.eliminations] = family
            cells = family.cells
            assert CHECKS["remote pair"](naive(board), cells, (1, 2), (), step.eliminations)
    assert {pair for removed in gone for pair in removed} == {(5, 1), (5, 2)}


@pytest.mark.parametrize("style", [style for style in logic.STYLES if style != "nando"])
def test_every_style_has_a_name_for_every_family(style, some_named):
    assert some_named
    for step, family in some_named:
        name = styled_name(style, family.name, plain_name(step))
        assert not name[0].islower()
        assert name.strip() == name
    for family in NAMES:
        assert styled_name(style, family, family)
    with pytest.raises(ValueError, match="se, hodoku, sudokuwiki"):
        styled_name("hodokku", "chain", "chain")


SE_NAMES = """
    Hidden Single, Naked Single, Direct Pointing, Direct Claiming, Direct Hidden Pair,
    Direct Hidden Triplet, Pointing, Claiming, Naked Pair, Naked Triplet, Naked Quad, Hidden Pair,
    Hidden Triplet, Hidden Quad, X-Wing, Swordfish, Jellyfish, XY-Wing, XYZ-Wing, WXYZ-Wing,
    VWXYZ-Wing, Skyscraper, Two-string Kite, Turbot Fish, 3 Strong-linked Fishes,
    Bidirectional Cycle, Bidirectional X-Cycle, Bidirectional Y-Cycle, Generalized X-Wing,
    Forcing Chain, Forcing X-Chain, BUG type 1, BUG type 2, BUG type 3, BUG type 4,
    Aligned Pair Exclusion, Aligned Triplet Exclusion, Nishio Forcing Chains
"""
"""As the hints of Sukaku Explainer are called in its source, but for those with numbers."""

SUDOKUWIKI_NAMES = """
    Hidden Singles, Naked Pairs/Triples, Hidden Pairs/Triples, Naked Quads, Hidden Quads,
    Pointing Pairs, Box/Line Reduction, X-Wing, Simple Colouring, Y-Wing, Swordfish, XYZ Wing, BUG,
    X-Cycles, XY-Chain, Jellyfish, Unique Rectangles, Extended Unique Rectangle, WXYZ Wing,
    Aligned Pair Exclusion, Grouped X-Cycles, Finned X-Wing, Finned Swordfish,
    Alternating Inference Chains, Sue-de-Coq, Digit Forcing Chains, Nishio Forcing Chains,
    Cell Forcing Chains, Unit Forcing Chains, Almost Locked Sets
"""
"""As SudokuWiki lists its strategies, but for those that nando does not find."""


def listed_names(text):
    return {" ".join(name.split()) for name in text.split(",")}


def test_names_are_those_that_sukaku_explainer_has():
    suffixes = ("", " (+)", " (+ Forcing Chains)", " (+ Multiple Forcing Chains)")
    forcing = {
        f"{prefix}{kind} Forcing Chains{suffix}"
        for prefix in ("", "Dynamic ")
        for kind in ("Cell", "Region", "Double", "Contradiction")
        for suffix in (*suffixes, " (+ Dynamic Forcing Chains)")
    }
    unique = re.compile("Unique (Rectangle|Loop|Loop [1-9][0-9]?) type [1-4]")
    names = {one.se for one in NAMES.values() if one.se and not unique.fullmatch(one.se)}
    assert names - forcing == listed_names(SE_NAMES)


def test_names_are_those_that_sudokuwiki_has():
    known = set()
    for name in listed_names(SUDOKUWIKI_NAMES):
        stem, _, other = name.rpartition(" ")
        several = [f"{stem} {last}" for last in other.split("/")] if "Triples" in other else [name]
        known |= {one.removesuffix("s") for one in several} | set(several)
    used = {re.sub(" Type [1-5]$", "", one.sudokuwiki) for one in NAMES.values() if one.sudokuwiki}
    assert used - known == {"Naked Single"}  # the page shows it without listing it


@pytest.mark.parametrize(
    ("n_cells", "se"), [(4, "Rectangle"), (6, "Loop"), (8, "Loop 8"), (10, "Loop 10")]
)
def test_a_long_loop_is_called_by_its_length(n_cells, se):
    step = next(step for step, _ in listed() if step.technique.name == "unique loop")
    longer = dataclasses.replace(step, cells=tuple(range(n_cells)), variant=2)
    plain = plain_name(longer)
    assert styled_name("se", plain, plain) == f"Unique {se} type 2"
    assert plain.partition(":")[0] == f"unique {'rectangle' if n_cells == 4 else 'loop'} type 2"


def test_the_same_step_in_four_styles():
    puzzle = PUZZLES["XY-wing"]
    taken = next(t for t in logic.walk_through(puzzle).steps if t.step.technique.name == "XY-wing")
    step, marks = taken.step, taken.position
    starts = {style: logic.describe(step, marks, style).split(" with")[0] for style in logic.STYLES}
    assert starts == {
        "nando": "XY-wing",
        "se": "XY-Wing",
        "hodoku": "XY-Wing",
        "sudokuwiki": "Y-Wing",
    }
    assert logic.record(step, marks, "sudokuwiki")["name"] == "Y-Wing"
    assert logic.record(step, marks, "sudokuwiki")["technique"] == "XY-wing"
    assert logic.hint(step, marks, 1, "hodoku").startswith("Look for an XY-Wing ")
    with pytest.raises(ValueError, match="style must be one of"):
        logic.describe(step, marks, "HoDoKu")


def test_a_type_is_explained_once():
    for name in ("unique loop", "unique loop, type 4"):
        puzzle = PUZZLES[name]
        ladder = logic.SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else logic.SUKAKU_EXPLAINER
        taken = next(
            t
            for t in logic.walk_through(puzzle, ladder).steps
            if t.step.technique.name == "unique loop"
        )
        variant = taken.step.variant
        text = logic.describe(taken.step, taken.position, "hodoku")
        assert text.startswith(f"Uniqueness Test {variant} on ")
        assert logic.describe(taken.step, taken.position).startswith(
            f"Unique rectangle type {variant} on "
        )
