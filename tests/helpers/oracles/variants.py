"""The candidates that the constraints of a variant leave, computed slowly."""

from itertools import combinations, pairwise, permutations, product

from nando.puzzles.boards.constraints import AllDifferent, Candidates, Pattern, Relation, Sum


def accepts(automaton, digits):
    """Return True if an automaton accepts a line of digits."""
    state = 0
    for digit in digits:
        state = automaton.moves[state][digit - 1]
        if state < 0:
            return False
    return state in automaton.accepting


def fits(constraint, grid):
    """Return True if a full board, a dict from cells to digits, obeys a constraint."""
    match constraint:
        case AllDifferent(cells):
            return len({grid[cell] for cell in cells}) == len(cells)
        case Sum(cells, total, weights):
            weights = weights or (1,) * len(cells)
            return sum(w * grid[c] for w, c in zip(weights, cells, strict=True)) == total
        case Relation(first, second, allowed):
            return bool(allowed[grid[first] - 1] >> grid[second] - 1 & 1)
        case Pattern(cells, automaton):
            return accepts(automaton, [grid[cell] for cell in cells])
        case Candidates(cell, mask):
            return bool(mask >> grid[cell] - 1 & 1)


def latin_squares(n):
    """Return all grids of n rows whose rows and columns hold every digit, as lists of rows."""
    grids = [[]]
    for _ in range(n):
        grids = [
            [*rows, row]
            for rows in grids
            for row in permutations(range(1, n + 1))
            if all(a != b for old in rows for a, b in zip(old, row, strict=True))
        ]
    return grids


def sees(puzzle):
    """Return the pairs of cells that see each other."""
    return {
        pair
        for _, constraint in puzzle.constraints
        if isinstance(constraint, AllDifferent)
        for pair in permutations(constraint.cells, 2)
    }


def fixed_point(puzzle, candidates):
    """Return what propagation leaves of candidates, a dict from cells to sets; None if nothing."""
    left = {cell: set(digits) for cell, digits in candidates.items()}
    pairs = sees(puzzle)
    while True:
        before = {cell: set(digits) for cell, digits in left.items()}
        for _, constraint in puzzle.constraints:
            if not narrow(constraint, left, puzzle.size, pairs):
                return None
        _lock(puzzle, left)
        if left == before:
            return left


def _lock(puzzle, left):
    """Remove digits whose places in one house all lie in another from the rest of the other."""
    houses = [
        set(own.cells)
        for _, own in puzzle.constraints
        if isinstance(own, AllDifferent) and len(own.cells) == puzzle.size
    ]
    for one, other in permutations(houses, 2):
        for digit in range(1, puzzle.size + 1):
            if {cell for cell in one if digit in left[cell]} <= other:
                for cell in other - one:
                    left[cell] -= {digit}


def narrow(constraint, left, n, pairs):
    """Leave what a constraint allows by itself; return False if that is nothing."""
    match constraint:
        case AllDifferent(cells):
            return _narrow_different(cells, left, n)
        case Candidates(cell, mask):
            left[cell] &= {digit for digit in range(1, n + 1) if mask >> digit - 1 & 1}
        case Relation(first, second, _):
            lines = [
                {first: a, second: b}
                for a, b in product(left[first], left[second])
                if fits(constraint, {first: a, second: b})
            ]
            return _keep(left, lines, (first, second))
        case Sum(cells, _, weights):
            distinct = not weights and all(pair in pairs for pair in combinations(cells, 2))
            lines = narrowed = fitting_lines(constraint, left)
            if distinct:
                narrowed = [line for line in lines if len(set(line.values())) == len(cells)]
                if narrowed:
                    common = set.intersection(*(set(line.values()) for line in narrowed))
                    for cell in left:
                        if all((cell, own) in pairs for own in cells):
                            left[cell] -= common
            return _keep(left, narrowed, cells)
        case Pattern(cells, _):
            return _keep(left, fitting_lines(constraint, left), cells)
    return all(left.values())


def fitting_lines(constraint, left):
    """Return the digits of the cells of a constraint that it allows, as dicts."""
    cells = constraint.cells
    lines = (dict(zip(cells, digits, strict=True)) for digits in product(*map(left.get, cells)))
    return [line for line in lines if fits(constraint, line)]


def _keep(left, lines, cells):
    for cell in cells:
        left[cell] &= {line[cell] for line in lines}
    return bool(lines) and all(left[cell] for cell in cells)


def _narrow_different(cells, left, n):
    for cell in cells:
        if len(left[cell]) == 1:
            for other in cells:
                if other != cell:
                    left[other] -= left[cell]
    if not all(left[cell] for cell in cells):
        return False
    if len(cells) == n:
        for digit in range(1, n + 1):
            places = [cell for cell in cells if digit in left[cell]]
            if not places:
                return False
            if len(places) == 1:
                left[places[0]] &= {digit}
    return True


# What rules mean, tried out slowly on a full board, without constraints and without their classes.


def _parts(digits, total):
    """Return True if the digits can be cut into parts with one sum."""
    return not digits or any(
        sum(digits[:i]) == total and _parts(digits[i:], total) for i in range(1, len(digits) + 1)
    )


def _turns(rule, grid):
    """Return the digits of a line, for a closed one from each cell at which it can begin."""
    digits = [grid[cell] for cell in rule.cells]
    if rule.cells[0] != rule.cells[-1]:
        return [digits]
    ring = digits[1:]
    return [ring[i:] + ring[:i] for i in range(len(ring))]


def _three(rule, grid, class_of):
    """Return True if no line or turn of a ring begins with digits of which two share a class."""
    turns = _turns(rule, grid)
    if len(turns) == 1:
        turns = [turns[0][i:] for i in range(max(1, len(turns[0]) - 2))]
    first = [[class_of(digit) for digit in digits[:3]] for digits in turns]
    return all(len(set(classes)) == len(classes) for classes in first)


def _subsets(digits):
    return (own for size in range(len(digits)) for own in combinations(digits, size + 1))


def _taxi(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _squares(grid, class_of):
    """Return True if each square of 2x2 cells holds three classes of digits."""
    squares = ([(r + i, c + j) for i in (0, 1) for j in (0, 1)] for r, c in grid)
    whole = (square for square in squares if all(cell in grid for cell in square))
    return all(len({class_of(grid[cell]) for cell in square}) == 3 for square in whole)


def _lockout(rule, digits):
    first, *inner, last = digits
    locked = {*range(first, last + 1), *range(last, first + 1)}
    return len(locked) > rule.difference and not locked & set(inner)


def _lunchbox(rule, digits):
    ordered = sorted(digits)
    inner = "".join(map(str, digits)).replace(str(ordered[0]), "|").replace(str(ordered[-1]), "|")
    return ordered == sorted(set(digits)) and sum(map(int, inner.split("|")[1])) == rule.total


def _full_rank(rule, grid):
    """Rank the rows and columns, turned around as well, as decimal numbers."""
    n = len({row for row, _ in grid})
    rows = [[grid[r, c] for c in range(n)] for r in range(n)]
    read = {"left": rows, "top": [list(column) for column in zip(*rows, strict=True)]}
    read |= {"right": [row[::-1] for row in read["left"]]}
    read |= {"bottom": [row[::-1] for row in read["top"]]}
    numbers = [int("".join(map(str, row))) for side in read.values() for row in side]
    own = int("".join(map(str, read[rule.line.edge][rule.line.number - 1])))
    alone = numbers.count(own) == 1 or rule.ties
    return alone and sorted(numbers).index(own) + 1 == rule.number


def _of_line(meaning):
    return lambda rule, grid: meaning(rule, [grid[cell] for cell in rule.cells])


def _third(grid):
    low, high = min(grid.values()), max(grid.values())
    return lambda digit: (3 * (digit - low)) // (high + 1 - low)


MEANINGS = {
    "nabner": _of_line(lambda _, d: all(b - a > 1 for a, b in pairwise(sorted(d)))),
    "lockout": _of_line(_lockout),
    "double-arrow": _of_line(lambda _, d: sum(d) == 2 * (d[0] + d[-1])),
    "sum-line": lambda rule, grid: any(_parts(d, rule.total) for d in _turns(rule, grid)),
    "whispers": lambda rule, grid: (
        all(
            abs(d[0] - d[-1]) >= rule.difference or len(_turns(rule, grid)) == 1
            for d in _turns(rule, grid)
        )
        and all(abs(a - b) >= rule.difference for a, b in pairwise(_turns(rule, grid)[0]))
    ),
    "renban": lambda rule, grid: (
        len({grid[c] for c in rule.cells}) == len(set(rule.cells))
        and max(grid[c] for c in rule.cells) - min(grid[c] for c in rule.cells)
        < len(set(rule.cells))
    ),
    "entropic": lambda rule, grid: _three(rule, grid, _third(grid)),
    "modular": lambda rule, grid: _three(rule, grid, lambda digit: digit % 3),
    "lunchbox": _of_line(_lunchbox),
    "rellik": _of_line(
        lambda rule, d: (
            (rule.repeats or len(set(d)) == len(d)) and rule.total not in map(sum, _subsets(d))
        )
    ),
    "equal-sums": lambda rule, grid: (
        sorted(sums := [sum(grid[cell] for cell in group) for group in rule.groups])
        == [sums[0]] * len(sums)
    ),
    "look-and-say": _of_line(
        lambda rule, d: all(
            d.count(b) == a for a, b in zip(rule.says[::2], rule.says[1::2], strict=True)
        )
    ),
    "counting-circles": _of_line(lambda _, d: all(d.count(digit) == digit for digit in d)),
    "anti-taxicab": lambda _, grid: (
        not any(grid[a] == grid[b] == _taxi(a, b) for a, b in combinations(grid, 2))
    ),
    "full-rank": _full_rank,
    "global-entropy": lambda _, grid: _squares(grid, _third(grid)),
    "global-modular": lambda _, grid: _squares(grid, lambda digit: digit % 3),
}
"""For names of rules, a function of a rule and a full board, a dict from cells to digits."""
