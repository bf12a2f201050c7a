"""Links and chains from their definitions, slowly: the oracle of the logic solver's chains.

Plain Python over sets. A literal is (cell, digit, on).
"""


def opposite(literal):
    return (*literal[:2], not literal[2])


def houses_of(marks, cell):
    return [house for house in marks.houses if cell in house]


def follows(marks, literal, links="XY"):
    """Return the literals that follow from one by links in houses (X), in cells (Y) or both."""
    cell, digit, on = literal
    found = set()
    others = marks.candidates[cell] - {digit}
    # Chains on one digit do not use cells; chains through cells also use that peers differ.
    if "Y" in links and (on or len(others) == 1):
        found |= {(cell, other, not on) for other in others}
    for house in houses_of(marks, cell):
        peers = marks.at(digit, house) - {cell}
        if on or ("X" in links and len(peers) == 1):
            found |= {(peer, digit, not on) for peer in peers}
    return found


def distances(marks, start, links="XY"):
    """Return the length, in literals, of the shortest chain from one literal to each other."""
    found = {start: 1}
    reached = [start]
    for literal in reached:
        for after in follows(marks, literal, links):
            if after not in found:
                found[after] = found[literal] + 1
                reached.append(after)
    return found


def shortest_chain(marks, links):
    """Return the length of the shortest chain from a literal to its opposite; None without one."""
    lengths = [
        found[opposite((cell, digit, on))]
        for cell, digits in enumerate(marks.candidates)
        for digit in digits
        for on in (True, False)
        for found in [distances(marks, (cell, digit, on), links)]
        if opposite((cell, digit, on)) in found
    ]
    return min(lengths, default=None)


def shortest_multiple(marks):
    """Return the length of the shortest chains from a cell or house to one end, and a flag.

    Chains start at cells of three candidates or more, and at houses whose first position is such a
    cell. The length is in literals, None if there are no such chains. The flag is True if some
    assumption contradicts itself, because its chains then end at the contradiction.
    """
    best = None
    clash = False
    for cell, digits in enumerate(marks.candidates):
        if len(digits) < 3:
            continue
        starts = [[(cell, digit, True) for digit in sorted(digits)]]
        for house in houses_of(marks, cell):
            for digit in digits:
                positions = sorted(marks.at(digit, house))
                if positions[0] == cell:
                    starts.append([(position, digit, True) for position in positions])
        for start in starts:
            found = [distances(marks, literal) for literal in start]
            clash |= any(opposite(literal) in reached for reached in found for literal in reached)
            for literal in set.intersection(*map(set, found)):
                length = sum(reached[literal] for reached in found)
                best = length if best is None else min(best, length)
    return best, clash


def justified(marks, literal, parents):
    """Return True if a literal follows from others and needs all of them."""
    cell, digit, on = literal
    if not on:
        return len(parents) == 1 and literal in follows(marks, next(iter(parents)))
    gone = {parent[:2] for parent in parents}
    rests = [{(cell, other) for other in marks.candidates[cell] - {digit}}]
    rests += [
        {(peer, digit) for peer in marks.at(digit, house) - {cell}}
        for house in houses_of(marks, cell)
    ]
    return not any(parent[2] for parent in parents) and gone in rests


def chains_of(links):
    """Return the assumption of each chain and, for each literal, those that it follows from."""
    chains = []
    for link in links:
        start, end = link[:3], link[3:]
        if not chains or (start not in chains[-1][1] and start != chains[-1][0]):
            chains.append((start, {}))
        chains[-1][1].setdefault(end, set()).add(start)
    return chains
