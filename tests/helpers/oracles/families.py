"""The families that solvers know by name, each checked by its definition: the oracle of names.

Plain Python over sets, on the marks of `helpers.oracles.logic`; imports nothing of nando. Each
check takes the marks, the cells, digits and houses of the supposed pattern, and its removals.
"""

from itertools import combinations, permutations

from helpers.oracles.logic import possible


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
