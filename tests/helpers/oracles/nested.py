"""Dynamic assumptions and the forcing chains they make, from their definitions, slowly.

Plain Python over sets, on any grid of candidates: the oracle of chains nested in an assumption.
"""

from helpers.oracles.chains import houses_of, opposite
from helpers.oracles.logic import Marks

NOTHING = 10**9


def without(marks, gone):
    """Return the marks without some candidates."""
    candidates = [set(digits) for digits in marks.candidates]
    for cell, digit in gone:
        candidates[cell].discard(digit)
    return Marks(candidates)


def follow(marks, start):
    """Return the premises of each literal that follows from one, and of the first contradiction.

    Literals that are on are followed before those that are off, each in the order of discovery. A
    literal is turned on by an elimination together with all others in its cell, or its house.
    """
    left = without(marks, ())
    behind = {start: frozenset([start])}
    waiting = {True: [], False: []}
    waiting[start[2]].append(start)

    def note(literal, parents):
        found = frozenset([literal]).union(*(behind[parent] for parent in parents))
        if opposite(literal) in behind:
            return (found, behind[opposite(literal)])
        if literal not in behind:
            behind[literal] = found
            waiting[literal[2]].append(literal)
        return None

    while waiting[True] or waiting[False]:
        literal = waiting[bool(waiting[True])].pop(0)
        cell, digit, on = literal
        houses = [
            house
            for kind in (2, 0, 1)
            for house in houses_of(marks, cell)
            if marks.houses.index(house) // 9 == kind
        ]
        if on:
            after = [(cell, other) for other in sorted(left.candidates[cell] - {digit})]
            for house in houses:
                after += [
                    (peer, digit)
                    for peer in house
                    if peer in left.at(digit, house) - {cell} and (peer, digit) not in after
                ]
            for pair in after:
                clash = note((*pair, False), [literal])
                if clash:
                    return behind, clash
            continue
        spots = [[(cell, other) for other in marks.candidates[cell]]]
        spots += [[(peer, digit) for peer in marks.at(digit, house)] for house in houses]
        for spot in spots:
            here = [(c, d) for c, d in spot if d in left.candidates[c] and (c, d) != (cell, digit)]
            if len(here) == 1:
                gone = [(c, d) for c, d in spot if d not in left.candidates[c]]
                clash = note((*here[0], True), [literal, *((c, d, False) for c, d in gone)])
                if clash:
                    return behind, clash
        left.candidates[cell].discard(digit)
    return behind, None


def forcing(marks):
    """Return, for each candidate that forcing chains remove, the fewest literals that do so."""
    followed = {}
    best = {}

    def reach(literal):
        if literal not in followed:
            followed[literal] = follow(marks, literal)
        return followed[literal]

    def prove(literal, length):
        cell, digit, on = literal
        for other in marks.candidates[cell] - {digit} if on else [digit]:
            best[cell, other] = min(best.get((cell, other), NOTHING), length)

    for cell, digits in enumerate(marks.candidates):
        if len(digits) < 2:
            continue
        starts = [[(cell, digit, True) for digit in sorted(digits)]]
        for digit in sorted(digits):
            for on in (True, False):
                clash = reach((cell, digit, on))[1]
                if clash:
                    prove((cell, digit, not on), sum(map(len, clash)))
            if len(digits) > 2:
                starts.append([(cell, digit, True), (cell, digit, False)])
            for house in houses_of(marks, cell):
                places = sorted(marks.at(digit, house))
                if len(places) > 1 and places[0] == cell:
                    starts.append([(place, digit, True) for place in places])
        for start in starts:
            found = [reach(literal)[0] for literal in start]
            for literal in set.intersection(*map(set, found)):
                prove(literal, sum(len(reached[literal]) for reached in found))
    return best
