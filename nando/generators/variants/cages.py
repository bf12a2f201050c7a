"""Cages that cover the board, sums of diagonals, and clues on other areas and sets of cells.

The digits of areas are counted, and their sums are equal or avoided.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache, partial
from itertools import accumulate, combinations

from nando.generators.variants.board import Canvas, Span, connected_parts, grow_region
from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.counts import CountingCircles, LookAndSay
from nando.puzzles.rules.sums import Cage, EqualSums, LittleKiller, Rellik

_TRIES, _LAYERS = 40, 4
"""Most layouts drawn until one has no more single cells than allowed; layouts of cages on offer."""

_AREAS = 2
"""Areas drawn from each cell."""

_CIRCLES = 20
"""Sets of circles on offer."""


def draw_cages(canvas: Canvas) -> list[Cage]:
    """Return cages that cover the board; if it need not be whole, many that share cells.

    The list is empty if every layout drawn has more single cells than allowed.
    """
    best: list[list[Cell]] = []
    fewest = len(canvas.board.cells) + 1
    share, ease = canvas.rng.random(2).tolist()
    for _ in range(_TRIES if canvas.is_whole else _LAYERS):
        cages = _cover(canvas, share, ease)
        singles = sum(len(cage) == 1 for cage in cages)
        if not canvas.is_whole:
            best += [cage for cage in cages if len(cage) >= _sizes(canvas)[0]]
            fewest = 0
        elif singles < fewest:
            best, fewest = cages, singles
        if fewest <= canvas.singles and canvas.is_whole:
            break
    return [cage_of(canvas, cells) for cells in best] if fewest <= canvas.singles else []


def _sizes(canvas: Canvas) -> Span:
    """Return the least and the most cells of a cage."""
    return canvas.scopes["killer"].cells


def cage_of(canvas: Canvas, cells: Sequence[Cell]) -> Cage:
    """Return the cage of cells with the sum of their digits."""
    return Cage(tuple(cells), sum(canvas.digits[cell] for cell in cells))


def split_cage(
    canvas: Canvas, clues: Sequence[Rule], number: int, other: Mapping[Cell, int]
) -> list[Rule]:
    """Return the clues with a cage split in two, one of which the digits `other` break.

    If these are the known digits, any split will do. The image of the cage is split in the same
    way. A new cage has a single cell only if the canvas allows more of these. The list is empty if
    there is no such split.
    """
    cells, digits = clues[number].cells_named(), canvas.digits
    twin = _numbers(clues).get(frozenset(map(canvas.image, cells)), number)
    singles = sum(isinstance(clue, Cage) and len(clue.cells) == 1 for clue in clues)
    is_known = all(other[cell] == digits[cell] for cell in canvas.board.cells)
    for choice in canvas.shuffle(range(1, 1 << len(cells) - 1)):
        parts = [
            [cell for i, cell in enumerate(cells) if choice >> i & 1 == side] for side in (0, 1)
        ]
        images = [list(map(canvas.image, part)) for part in parts]
        if twin != number:
            parts += images
        elif set(map(frozenset, images)) != set(map(frozenset, parts)):
            continue
        n_new = sum(len(part) == 1 for part in parts)
        is_whole = all(len(connected_parts(part)) == 1 for part in parts)
        if (n_new and singles + n_new > canvas.singles) or not is_whole:
            continue
        if is_known or any(
            sum(other[cell] for cell in part) != sum(digits[cell] for cell in part)
            for part in parts
        ):
            return _with_cages(canvas, clues, {number, twin}, parts)
    return []


def merge_cages(canvas: Canvas, clues: Sequence[Rule], number: int) -> Iterator[list[Rule]]:
    """Yield the clues with a cage and a neighbour joined; their images are joined, too."""
    numbers = _numbers(clues)
    around = {side for cell in clues[number].cells_named() for side in canvas.sides(cell)}
    for i in canvas.shuffle(range(len(clues))):
        other = clues[i]
        if i == number or not isinstance(other, Cage) or not around & set(other.cells):
            continue
        pair = {number, i}
        together = [cell for k in sorted(pair) for cell in clues[k].cells_named()]
        images = [frozenset(map(canvas.image, clues[k].cells_named())) for k in pair]
        twins = {numbers.get(image, number) for image in images}
        if twins != pair and twins & pair:
            continue
        cages = [together] if twins == pair else [together, list(map(canvas.image, together))]
        if all(
            len({canvas.digits[cell] for cell in cage}) == len(cage) <= _sizes(canvas)[1]
            for cage in cages
        ):
            yield _with_cages(canvas, clues, pair | twins, cages)


def _numbers(clues: Sequence[Rule]) -> dict[frozenset[Cell], int]:
    """Return the number of each cage by its cells."""
    return {
        frozenset(clue.cells): number for number, clue in enumerate(clues) if isinstance(clue, Cage)
    }


def _with_cages(
    canvas: Canvas, clues: Sequence[Rule], removed: Set[int], cages: Sequence[Sequence[Cell]]
) -> list[Rule]:
    """Return the clues without those numbered `removed`, and with cages of these cells."""
    kept = [clue for number, clue in enumerate(clues) if number not in removed]
    return [*kept, *(cage_of(canvas, cells) for cells in cages)]


def _cover(canvas: Canvas, share: float, ease: float) -> list[list[Cell]]:
    """Return groups of different digits that cover the board.

    `share`, from 0 to 1, sets their sizes from small to large. A share `ease` of their cells is
    chosen so that few combinations of digits have the sum.
    """
    board = canvas.board
    owner: dict[Cell, list[Cell]] = {}
    cages: list[list[Cell]] = []
    starts = canvas.shuffle(board.cells)
    # Start with cells on an axis of the symmetry: few cages there are their own image.
    starts.sort(key=lambda cell: canvas.symmetry == "none" or canvas.image(cell) != cell)
    for start in starts:
        if start in owner:
            continue
        cage = [start]
        least, most = _sizes(canvas)
        size = least + int((most - least + 1) * canvas.rng.random() ** (2.0 - 1.5 * share))
        while len(cage) < min(size, most):
            options = [
                larger
                for cell in cage
                for side in canvas.sides(cell)
                if (larger := _with_side(canvas, cage, side)) and _fits(canvas, owner, larger)
            ]
            if not options:
                break
            if canvas.rng.random() < ease:
                cage = min(canvas.shuffle(options), key=lambda cells: _ways(canvas, cells))
            else:
                cage = options[canvas.below(len(options))]
        for copy in _with_image(canvas, cage):
            cages.append(copy)
            owner.update(dict.fromkeys(copy, copy))
    for cage in [cage for cage in cages if len(cage) == 1]:
        if len(cage) == 1 and cage in cages:  # it may have taken another single cell
            _absorb(canvas, owner, cages, cage)
    return cages


def _ways(canvas: Canvas, cage: Sequence[Cell]) -> int:
    """Return the number of sets of different digits with the sum of a cage."""
    total = sum(canvas.digits[cell] for cell in cage)
    return _sets(canvas.board.values, len(cage)).count(total)


@lru_cache(maxsize=64)
def _sets(values: range, size: int) -> list[int]:
    """Return the sum of each set of `size` of the values."""
    return list(map(sum, combinations(values, size)))


def _with_side(canvas: Canvas, cage: list[Cell], side: Cell) -> list[Cell]:
    """Return a cage with one more cell, and its image if the cage is its own image."""
    if canvas.symmetry == "none" or set(map(canvas.image, cage)) != set(cage):
        return [*cage, side]
    image = canvas.image(side)
    return [*cage, side] if image == side else [*cage, side, image]


def _fits(canvas: Canvas, owner: dict[Cell, list[Cell]], cage: list[Cell]) -> bool:
    """Return True if a cage, whose last one or two cells are new, can be drawn with its image."""
    digits = canvas.digits
    if len(cage) > _sizes(canvas)[1] or cage[-1] in owner or cage[-2] in owner:
        return False
    if canvas.symmetry == "none":
        return len({digits[cell] for cell in cage}) == len(cage)
    image = list(map(canvas.image, cage))
    if set(image) & set(cage) and set(image) != set(cage):
        return False
    return all(len({digits[cell] for cell in cells}) == len(cells) for cells in (cage, image))


def _with_image(canvas: Canvas, cage: list[Cell]) -> list[list[Cell]]:
    if canvas.symmetry == "none":
        return [cage]
    image = list(map(canvas.image, cage))
    return [cage] if set(image) == set(cage) else [cage, image]


def _absorb(
    canvas: Canvas, owner: dict[Cell, list[Cell]], cages: list[list[Cell]], single: list[Cell]
) -> None:
    """Join a single cell, and its image, to the smallest neighbouring cage that can take it."""
    cell = single[0]
    digits = canvas.digits
    hosts = [
        owner[side]
        for side in canvas.shuffle(canvas.sides(cell))
        if owner[side] is not single
        and len(owner[side]) < _sizes(canvas)[1]
        and digits[cell] not in [digits[own] for own in owner[side]]
    ]
    for host in sorted(hosts, key=len):
        other, image = owner[canvas.image(cell)], owner[canvas.image(host[0])]
        if canvas.symmetry != "none":
            if other is single or image is host:
                continue
            if digits[other[0]] in [digits[own] for own in image]:
                continue
            _join(owner, cages, other, image)
        _join(owner, cages, single, host)
        return


def _join(
    owner: dict[Cell, list[Cell]], cages: list[list[Cell]], single: list[Cell], host: list[Cell]
) -> None:
    host.extend(single)
    owner[single[0]] = host
    cages.remove(single)


def draw_diagonal_sums(canvas: Canvas) -> list[LittleKiller]:
    """Return the sums of diagonals, no two at the same place."""
    n, lines = canvas.board.size, list[Cells]()
    least, most = canvas.scopes["little-killer"].cells
    for start in (cell for cell in canvas.board.cells if {0, n - 1} & set(cell)):
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            cells = tuple(
                Cell(start.row + k * down, start.column + k * right)
                for k in range(n)
                if 0 <= start.row + k * down < n and 0 <= start.column + k * right < n
            )
            if least <= len(cells) <= most:
                lines.append(cells)
    # A diagonal may be read from either end; use each one once.
    once = {frozenset(cells): cells for cells in canvas.shuffle(lines)}
    return [
        LittleKiller(cells, sum(canvas.digits[cell] for cell in cells)) for cells in once.values()
    ]


def draw_look_and_say(canvas: Canvas) -> list[Rule]:
    """Return cages that say how often they hold two of their digits."""

    def clue(cells: Cells) -> Rule:
        counts = Counter(canvas.shuffle(canvas.digits[cell] for cell in cells))
        says = [number for digit, count in counts.most_common(2) for number in (count, digit)]
        return LookAndSay(cells, tuple(says))

    return list(map(clue, _areas(canvas, "look-and-say")))


def draw_rellik(canvas: Canvas) -> list[Rule]:
    """Return cages with the number that says most of those that they avoid."""
    clues: list[Rule] = []
    for cells in _areas(canvas, "rellik"):
        digits = [canvas.digits[cell] for cell in cells]
        if len(set(digits)) < len(digits):
            continue
        *_, sums = accumulate(digits, _with_digit, initial={0})
        values = canvas.board.values
        free = set(range(values[0] + 1, 2 * values[-1])) - sums
        if free:
            ways = partial(_sets_without, len(cells), values)
            clues.append(Rellik(cells, min(canvas.shuffle(sorted(free)), key=ways)))
    return clues


@lru_cache(maxsize=1024)
def _sets_without(size: int, values: range, number: int) -> int:
    """Return how many sets of so many digits avoid a number."""
    return sum(
        number not in list(accumulate(digits, _with_digit, initial={0}))[-1]
        for digits in combinations(values, size)
    )


def _with_digit(sums: set[int], digit: int) -> set[int]:
    return sums | {each + digit for each in sums}


def draw_equal_sums(canvas: Canvas) -> list[Rule]:
    """Return pairs of cages with equal sums."""
    alone: dict[int, Cells] = {}
    clues: list[Rule] = []
    for cells in _areas(canvas, "equal-sums"):
        total = sum(canvas.digits[cell] for cell in cells)
        if set(alone.get(total, cells)) & set(cells):
            alone[total] = cells
        else:
            clues.append(EqualSums((alone.pop(total), cells)))
    return clues


def _areas(canvas: Canvas, name: str) -> Iterator[Cells]:
    """Yield connected areas of as many cells as a rule may have; many share cells."""
    least, most = canvas.scopes[name].cells
    for start in canvas.shuffle(list(canvas.board.cells) * _AREAS):
        cells = tuple(grow_region(canvas, start, least + canvas.below(most - least + 1)))
        if len(cells) >= least:
            yield cells


def draw_circles(canvas: Canvas) -> list[Rule]:
    """Return sets of circles, each in about one in six cells."""
    return [CountingCircles(_circles(canvas)) for _ in range(_CIRCLES)]


def _circles(canvas: Canvas) -> Cells:
    board = canvas.board
    left = len(board.cells) // 6
    circles: list[Cell] = []
    for digit in canvas.shuffle(board.values):
        places = [cell for cell in board.cells if canvas.digits[cell] == digit]
        if digit <= min(left, len(places)):
            circles += canvas.shuffle(places)[:digit]
            left -= digit
    return tuple(circles)
