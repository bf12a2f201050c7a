"""Techniques for Nurikabe by their definitions, slowly and in plain Python.

A board is a dictionary from (row, column) to ".", "o" (white) or "#" (river); numbers are another,
from cells to sizes, -1 for an unknown one. Each technique gives all the steps it could take: sets
of cells, with the colour they get.
"""

import heapq
import itertools

from helpers.oracles import nurikabe_islands


def neighbours(cell):
    r, c = cell
    return {(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)}


def blocks(board):
    for r, c in board:
        block = {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}
        if block <= set(board):
            yield block


def groups(board, colours):
    """Return the sets of connected cells that have one of these colours."""
    return nurikabe_islands.groups(cell for cell, colour in board.items() if colour in colours)


def exits(board, group):
    near = set().union(*map(neighbours, group))
    return {cell for cell in near if board.get(cell) == "."}


class Position:
    """A board with its white groups and the islands that they belong to."""

    def __init__(self, board, numbers):
        self.board, self.numbers = board, numbers
        self.open = {cell for cell, colour in board.items() if colour == "."}
        self.white = groups(board, "o")
        self.group_at = {cell: group for group in self.white for cell in group}
        self.island = {
            group: next((cell for cell in group if cell in numbers), None) for group in self.white
        }
        known = None if -1 in numbers.values() else sum(numbers.values())
        self.n_white = known
        self.n_black = None if known is None else len(board) - known

    def number(self, group):
        return self.numbers.get(self.island[group], 0)

    def count(self, colour):
        return sum(held == colour for held in self.board.values())

    def near(self, cell):
        return {self.group_at[other] for other in neighbours(cell) if other in self.group_at}


def between(position, degree):
    for cell in position.open:
        if degree == 0:
            n_islands = len(neighbours(cell) & set(position.numbers))
        else:
            n_islands = sum(position.island[group] is not None for group in position.near(cell))
        if n_islands > 1:
            yield {cell}, "#"


def complete(position, degree):
    for group in position.white:
        around = exits(position.board, group)
        if position.number(group) == len(group) and around and (degree or len(group) == 1):
            yield around, "#"


def pool(position, _):
    for block in blocks(position.board):
        if sorted(position.board[cell] for cell in block) == ["#", "#", "#", "."]:
            yield {cell for cell in block if position.board[cell] == "."}, "o"


def river_exit(position, _):
    wanted = position.count("#") if position.n_black is None else position.n_black
    for group in groups(position.board, "#"):
        way = exits(position.board, group)
        if len(way) == 1 and len(group) < wanted:
            yield way, "#"


def island_exit(position, _):
    for group in position.white:
        way = exits(position.board, group)
        if len(way) == 1 and position.number(group) not in (-1, len(group)):
            yield way, "o"


def oversize(position, _):
    largest = max(position.numbers.values())
    if position.n_white is None:
        largest = len(position.board)
    for cell in position.open:
        near = position.near(cell)
        most = min([largest, *(position.number(g) for g in near if position.number(g) > 0)])
        if near and 1 + sum(map(len, near)) > most:
            yield {cell}, "#"


def shared_exit(position, _):
    for group in position.white:
        places = exits(position.board, group)
        if position.number(group) == len(group) + 1:
            for cell in position.open - places:
                if places and places <= neighbours(cell):
                    yield {cell}, "#"


def total(position, _):
    for colour, wanted, other in (("o", position.n_white, "#"), ("#", position.n_black, "o")):
        if position.count(colour) == wanted and position.open:
            yield position.open, other


def enclosed(position, _):
    regions = groups(position.board, ".#")
    dry = [region for region in regions if all(position.board[cell] == "." for cell in region)]
    if dry and len(dry) < len(regions):
        yield set().union(*dry), "o"


def river_bottleneck(position, degree):
    board = position.board
    if "#" not in board.values() or (degree and position.n_black is None):
        return
    for cell in position.open:
        regions = groups({**board, cell: "o"}, ".#")
        rivers = [region for region in regions if any(board[c] == "#" for c in region)]
        if len(rivers) > 1 or (degree and len(rivers[0]) < position.n_black):
            yield {cell}, "#"


# Reach


def reach_of(position, owner, island, barred=None):
    """Return what an island can grow to, its largest size, and True if that is connected."""
    board = position.board
    main = position.group_at[island]
    own = {group for group in position.white if owner[group] == island}
    n_own = sum(map(len, own))
    wanted = position.numbers[island]
    left = wanted - n_own if wanted > 0 else len(board)

    def cost(thing):
        if thing in own:
            return 0
        return len(thing) if thing in owner else 1

    def may_join(cell):
        return all(owner[group] in (None, island) for group in position.near(cell))

    def next_to(thing):
        for cell in set().union(*map(neighbours, thing)) if thing in owner else neighbours(thing):
            group = position.group_at.get(cell)
            if group is not None and owner[group] in (None, island):
                yield group
            elif cell in position.open and cell != barred and may_join(cell):
                yield cell

    dist = {main: 0}
    heap = [(0, 0, main)]
    order = itertools.count(1)
    while heap:
        d, _, thing = heapq.heappop(heap)
        if d > dist[thing]:
            continue
        for other in next_to(thing):
            if d + cost(other) <= left and d + cost(other) < dist.get(other, len(board) + 1):
                dist[other] = d + cost(other)
                heapq.heappush(heap, (dist[other], next(order), other))

    def fits(cell):
        for group in position.near(cell):
            before = dist.get(group, left) + 1
            if owner[group] is None and min(dist[cell] + len(group), before) > left:
                return False
        return True

    cells = {thing for thing in dist if thing not in owner and fits(thing)}
    loose = {thing for thing in dist if thing in owner and thing != main}
    most = n_own + len(cells) + sum(len(group) for group in loose - own)
    return cells, loose, most, own <= loose | {main}, set(dist)


def owners(position, degree):
    """Return the island of each group, by its number or because no other can grow to it."""
    owner = dict(position.island)
    while degree:
        reached = {group: [] for group in position.white}
        for island in unfinished(position):
            for group in reach_of(position, owner, island)[1]:
                reached[group].append(island)
        new = {g: by[0] for g, by in reached.items() if owner[g] is None and len(by) == 1}
        if not new:
            break
        owner.update(new)
    return owner


def unfinished(position):
    for island, wanted in position.numbers.items():
        if len(position.group_at[island]) != wanted:
            yield island


def unreachable(position, degree):
    owner = owners(position, degree)
    reached = [reach_of(position, owner, island)[0] for island in unfinished(position)]
    left = position.open.difference(*reached)
    if left:
        yield left, "#"


def filled_reach(position, degree):
    owner = owners(position, degree)
    for island in unfinished(position):
        cells, _, most, _, _ = reach_of(position, owner, island)
        if most == position.numbers[island] and cells:
            yield cells, "o"


def island_bottleneck(position, degree):
    owner = owners(position, degree)
    for island in unfinished(position):
        for cell in reach_of(position, owner, island)[0]:
            _, _, most, is_whole, _ = reach_of(position, owner, island, cell)
            if most < position.numbers[island] or not is_whole:
                yield {cell}, "o"


def stranded(position, degree):
    owner = owners(position, degree)
    for group in position.white:
        if owner[group] is not None:
            continue
        for cell in set().union(*(reach_of(position, owner, i)[0] for i in unfinished(position))):
            ways = [reach_of(position, owner, i, cell)[1] for i in unfinished(position)]
            if not any(group in way for way in ways):
                yield {cell}, "o"


def block_breaker(position, _):
    owner = owners(position, 1)
    reach = {island: reach_of(position, owner, island)[0] for island in unfinished(position)}
    for block in blocks(position.board):
        breakers = {island for island in reach if reach[island] & block}
        if len(breakers) == 1 and not any(position.board[cell] == "o" for cell in block):
            (island,) = breakers
            for cell in reach[island]:
                if not reach_of(position, owner, island, cell)[4] & block:
                    yield {cell}, "o"
