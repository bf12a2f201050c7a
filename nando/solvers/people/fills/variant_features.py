"""The features that make an open cell of a variant likely to be filled next.

The columns are those of Sudoku, with houses of any shape, followed by features of the rules.
"""

from enum import IntEnum, auto

import numpy as np

from nando.kernels.compile import inlined_kernel, lean_kernel, n_bits
from nando.solvers.people.fills import features
from nando.solvers.people.fills.features import (
    Feature,
    Joined,
    Plan,
    Seen,
    describe_rounds,
    describe_sequel,
    describe_sight,
)
from nando.solvers.people.fills.moments import (
    BEFORE,
    IN_BOX,
    LAST,
    N_BLANKS,
    N_FILLED,
    N_SINGLES,
    NAKED,
    SINGLE,
    UNSUPPORTED,
)
from nando.solvers.people.fills.variant_moments import RUN, kind_of, place_of_house
from nando.solvers.people.fills.variant_thought import (
    BY_INNIES,
    BY_RELATION,
    BY_SUM,
    IN_OTHER,
    SAME_BOX,
    SAME_COLUMN,
    SAME_OTHER,
    SAME_ROW,
    SAME_RULE,
)


class Further(IntEnum):
    """The features after those of Sudoku, in the order of the columns."""

    # How the digit can be seen.
    OTHER_SINGLE = len(Feature)
    RULE_SINGLE = auto()
    LAST_OF_SUM = auto()
    LOG_SUM_EMPTIES = auto()
    # How much thought the digit takes, in rounds that check every rule and house once.
    LOG_ROUNDS = auto()
    MARKED_NAKED = auto()
    SUM_SINGLE = auto()
    INNIE_SINGLE = auto()
    RELATION_SINGLE = auto()
    LOG_MARKED_EMPTIES = auto()
    LOG_MARKS = auto()
    TWO_MARKS = auto()
    FRESH_MARKED = auto()
    LOG_MARKED_AGE = auto()
    LATE_MARKED = auto()
    # What was filled before.
    LOG_CHANGED = auto()
    SAME_OTHER = auto()
    SAME_RULE = auto()
    RULE_BEFORE = auto()
    FRESH_RULE = auto()
    NAKED_SAME_RULE = auto()
    MARKED_SAME_RULE = auto()
    LAST_OF_SAME_SUM = auto()
    BESIDE = auto()
    WARMTH = auto()
    DIGIT_WARMTH = auto()
    # How full the houses are.
    LOG_EMPTIES = auto()
    LOG_BOX_EMPTIES = auto()
    LOG_LINE_EMPTIES = auto()
    CROWDED_EMPTIES = auto()
    LOG_OPEN_PEERS = auto()
    FEWEST_EMPTIES = auto()
    # How hidden singles differ from naked ones.
    HIDDEN_CANDIDATES = auto()
    HIDDEN_MARKS = auto()
    HIDDEN_SAME_DIGIT = auto()
    # What draws attention, or has drawn it.
    SINGLES_NEAR = auto()
    MARKED_SINGLES_NEAR = auto()
    ROW_WARMTH = auto()
    COLUMN_WARMTH = auto()
    BOX_WARMTH = auto()
    KIND_WARMTH = auto()
    MARKED_WARMTH = auto()
    ONE_FILL_OLD = auto()
    DIGIT_RUN = auto()
    BOTH_HOUSES = auto()
    CROWDED_DISTANCE = auto()
    LAST_IN_SAME_HOUSE = auto()
    LOG_SHARED_EMPTIES = auto()
    EMPTIES_SAME_HOUSE = auto()
    LOG_SINGLES_OF_BOX = auto()
    # What relations, sums and houses show on their own.
    TIGHTEST = auto()
    LOG_RULE_OPTIONS = auto()
    OPEN_TIES = auto()
    SUM_CERTAINTY = auto()
    PLAIN_BOX = auto()
    PLAIN_NAKED = auto()
    RULED_HIDDEN = auto()
    TWO_LEFT = auto()
    PASSED = auto()
    # How much relations to the last fills show, and where these fills were.
    RELATION_TO_LAST = auto()
    RELATION_TO_BEFORE = auto()
    TIES_BY_LAST = auto()
    DISTANCE_BEFORE = auto()
    ORTHOGONAL = auto()
    NEXT_IN_ROW = auto()
    DISTANCE_OF_BOX_SINGLE = auto()
    DISTANCE_OF_NAKED = auto()
    # Comparison with the other singles, or at an impasse with the other marked cells.
    LOG_FULLER = auto()
    NEAREST_AND_FULLEST = auto()
    NEAREST_MARKED = auto()


FEATURES = (*features.FEATURES, *(feature.name.lower() for feature in Further))
"""Names of the columns."""


@lean_kernel
def describe_all(moment, board, solution, table, cells):
    """Write the features of each open cell and, into `cells`, its number; return how many."""
    n_open = 0
    plan = Plan(board.size, board.per_digit, board.houses, board.turns)
    for cell in range(moment.values.size):
        if moment.values[cell] == 0:
            row = table[n_open]
            row[:] = 0.0
            _describe_cell(moment, board, plan, cell, int(solution[cell]) - 1, row)
            cells[n_open] = cell
            n_open += 1
    describe_rounds(moment, board.houses, solution, table, cells, n_open)
    _compare(moment, board, table, cells, n_open)
    _compare_singles(moment, table, cells, n_open)
    return n_open


@inlined_kernel
def _describe_cell(moment, board, plan, cell, digit, row):
    network = board.network
    ways = int(moment.ways[cell])
    last, before = int(moment.history[LAST]), int(moment.history[BEFORE])
    shared = int(board.together[last, cell]) if last >= 0 else 0
    earlier = int(board.together[before, cell]) if before >= 0 else 0
    hidden_empties = board.size
    naked_empties = board.size
    box_empties = board.size
    line_empties = board.size
    shared_empties = board.size
    last_in_house = False
    for i in range(network.cell_house_start[cell], network.cell_house_start[cell + 1]):
        house = network.cell_houses[i]
        empties = int(moment.empties[house])
        naked_empties = min(naked_empties, empties)
        way = board.house_way[house]
        if ways & way:
            hidden_empties = min(hidden_empties, empties)
        last_in_house |= empties == 1
        if way == IN_BOX:
            box_empties = min(box_empties, empties)
        else:
            line_empties = min(line_empties, empties)
        if shared & (SAME_OTHER if way == IN_OTHER else way):
            shared_empties = min(shared_empties, empties)
    seen = Seen(hidden_empties, naked_empties, last_in_house)
    describe_sight(moment, plan, seen, cell, digit, row)
    _describe_rules(moment, board, cell, seen, row)
    _describe_ties(moment, board, cell, row)
    _describe_room(moment, board, cell, (naked_empties, box_empties, line_empties), row)
    if last >= 0:
        joined = Joined(
            shared & SAME_ROW > 0,
            shared & SAME_COLUMN > 0,
            shared & SAME_BOX > 0,
            shared & ~SAME_RULE > 0,
            earlier & ~SAME_RULE > 0,
        )
        describe_sequel(moment, plan, joined, cell, digit, row)
        _describe_rules_sequel(moment, board, cell, digit, (shared, earlier), row)
        _describe_room_sequel(moment, joined, shared_empties, cell, row)
        _describe_ties_sequel(moment, board, last, before, cell, row)


@inlined_kernel
def _describe_rules(moment, board, cell, seen, row):
    """Write the features of what rules show about a cell."""
    network = board.network
    ways = int(moment.ways[cell])
    phase = moment.history[N_FILLED] / max(int(moment.history[N_BLANKS]), 1)
    row[Further.OTHER_SINGLE.value] = ways & IN_OTHER > 0
    row[Further.RULE_SINGLE.value] = ways & NAKED > 0 and moment.by_rule[cell] > 0
    fewest = 0
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        number = network.cell_sums[i]
        if number < board.n_sums:
            empties = int(moment.sum_empties[number])
            fewest = empties if fewest == 0 else min(fewest, empties)
    if fewest:
        row[Further.LAST_OF_SUM.value] = fewest == 1
        row[Further.LOG_SUM_EMPTIES.value] = np.log(fewest)
    n_marks = n_bits(int(moment.marks[cell]))
    row[Further.LOG_MARKS.value] = np.log(max(n_marks, 1))
    row[Further.TWO_MARKS.value] = n_marks == 2 and ways == 0
    support = int(moment.support[cell])
    if support != SINGLE and support != UNSUPPORTED:
        by_one = int(moment.by_one[cell])
        row[Further.LOG_ROUNDS.value] = np.log(moment.rounds[cell])
        row[Further.MARKED_NAKED.value] = n_marks == 1
        row[Further.SUM_SINGLE.value] = by_one & BY_SUM > 0
        row[Further.INNIE_SINGLE.value] = by_one & BY_INNIES > 0
        row[Further.RELATION_SINGLE.value] = by_one & BY_RELATION > 0
        row[Further.LOG_MARKED_EMPTIES.value] = np.log(seen.naked_empties)
        row[Further.LATE_MARKED.value] = phase
    if ways == 0 and moment.marked_since[cell] >= 0:
        age = moment.history[N_FILLED] - moment.marked_since[cell]
        row[Further.FRESH_MARKED.value] = age == 0
        row[Further.LOG_MARKED_AGE.value] = np.log(1.0 + age)


@inlined_kernel
def _describe_rules_sequel(moment, board, cell, digit, joined, row):
    """Write the features of how rules join a cell to the last fills."""
    shared, earlier = joined
    ways = int(moment.ways[cell])
    ruled = shared & SAME_RULE > 0
    fresh = ways > 0 and int(moment.seen_since[cell]) == moment.history[N_FILLED]
    marked = ways == 0 and moment.support[cell] != UNSUPPORTED
    last = int(moment.history[LAST])
    down = abs(board.houses[cell, 0] - board.houses[last, 0])
    across = abs(board.houses[cell, 1] - board.houses[last, 1])
    row[Further.LOG_CHANGED.value] = np.log(1.0 + moment.changed[cell])
    row[Further.SAME_OTHER.value] = shared & SAME_OTHER > 0
    row[Further.SAME_RULE.value] = ruled
    row[Further.RULE_BEFORE.value] = earlier & SAME_RULE > 0
    row[Further.FRESH_RULE.value] = fresh and ruled
    row[Further.NAKED_SAME_RULE.value] = ways == NAKED and ruled
    row[Further.MARKED_SAME_RULE.value] = marked and ruled
    row[Further.LAST_OF_SAME_SUM.value] = ruled and row[Further.LAST_OF_SUM.value] > 0
    row[Further.WARMTH.value] = moment.warmth[cell]
    row[Further.DIGIT_WARMTH.value] = moment.digit_warmth[digit]
    row[Further.BESIDE.value] = max(down, across) == 1


@inlined_kernel
def _describe_room(moment, board, cell, empties, row):
    """Write the features of how full the houses of a cell are, and of what drew attention to it."""
    fewest, in_box, in_line = empties
    ways = int(moment.ways[cell])
    marked = ways == 0 and moment.support[cell] != UNSUPPORTED
    crowd = np.log(1.0 + moment.history[N_SINGLES])
    log_empties = np.log(fewest)
    row[Further.LOG_EMPTIES.value] = log_empties
    row[Further.TWO_LEFT.value] = fewest == 2
    row[Further.CROWDED_EMPTIES.value] = crowd * log_empties
    row[Further.LOG_OPEN_PEERS.value] = np.log(1.0 + moment.open_peers[cell])
    if ways or marked:
        row[Further.LOG_BOX_EMPTIES.value] = np.log(in_box)
        row[Further.LOG_LINE_EMPTIES.value] = np.log(in_line)
    if ways > 0 and ways & NAKED == 0:
        row[Further.HIDDEN_CANDIDATES.value] = row[Feature.LOG_CANDIDATES.value]
        row[Further.HIDDEN_MARKS.value] = row[Further.LOG_MARKS.value]
    for kind in range(3):
        warmth = moment.house_warmth[place_of_house(moment, board, cell, kind)]
        row[Further.ROW_WARMTH.value + kind] = warmth
    if ways:
        row[Further.KIND_WARMTH.value] = moment.kind_warmth[kind_of(moment, board, cell)]
        row[Further.ONE_FILL_OLD.value] = moment.history[N_FILLED] == moment.seen_since[cell] + 1
    elif marked:
        row[Further.MARKED_WARMTH.value] = np.log(1.0 + moment.marked_warmth[cell])


@inlined_kernel
def _describe_room_sequel(moment, joined, shared_empties, cell, row):
    """Write the features of houses that a cell shares with the last fill, and of runs of fills."""
    crowd = np.log(1.0 + moment.history[N_SINGLES])
    ways = int(moment.ways[cell])
    hidden = ways > 0 and ways & NAKED == 0
    same_digit = row[Feature.SAME_DIGIT.value]
    row[Further.HIDDEN_SAME_DIGIT.value] = hidden and same_digit > 0
    row[Further.DIGIT_RUN.value] = same_digit * np.log(1.0 + moment.history[RUN])
    row[Further.BOTH_HOUSES.value] = joined.house and joined.before
    row[Further.CROWDED_DISTANCE.value] = crowd * row[Feature.DISTANCE.value]
    if joined.house:
        row[Further.LAST_IN_SAME_HOUSE.value] = row[Feature.LAST_IN_HOUSE.value]
        row[Further.LOG_SHARED_EMPTIES.value] = np.log(shared_empties)
        row[Further.EMPTIES_SAME_HOUSE.value] = row[Further.LOG_EMPTIES.value]


@inlined_kernel
def _describe_ties(moment, board, cell, row):
    """Write the features of what relations, sums and houses show about a cell on their own."""
    network = board.network
    ways = int(moment.ways[cell])
    plain = int(moment.plain_ways[cell])
    hidden = ways & ~NAKED
    row[Further.TIGHTEST.value] = np.log(board.size / max(int(moment.tightest[cell]), 1))
    row[Further.LOG_RULE_OPTIONS.value] = np.log(max(n_bits(int(moment.ruled[cell])), 1))
    row[Further.OPEN_TIES.value] = moment.ties[cell]
    row[Further.PLAIN_BOX.value] = plain & IN_BOX > 0
    row[Further.PLAIN_NAKED.value] = plain & NAKED > 0
    row[Further.RULED_HIDDEN.value] = hidden > 0 and plain & hidden == 0
    if ways:
        row[Further.PASSED.value] = moment.passed[cell]
    width = board.size * (board.size + 1) // 2 + 1
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        number = network.cell_sums[i]
        if number < board.n_sums and network.sum_distinct[number] and network.set_start.size:
            place = moment.sum_empties[number] * width + moment.sum_left[number]
            n_sets = network.set_start[place + 1] - network.set_start[place]
            certainty = 1.0 / (1.0 + n_sets)
            row[Further.SUM_CERTAINTY.value] = max(row[Further.SUM_CERTAINTY.value], certainty)


@inlined_kernel
def _describe_ties_sequel(moment, board, last, before, cell, row):
    """Write the features of relations to the last fills, and of where these fills were."""
    houses = board.houses
    ways = int(moment.ways[cell])
    down = abs(houses[cell, 0] - houses[last, 0])
    across = abs(houses[cell, 1] - houses[last, 1])
    distance = row[Feature.DISTANCE.value]
    row[Further.RELATION_TO_LAST.value] = board.relation[last, cell]
    if board.relation[last, cell] > 0.0:
        row[Further.TIES_BY_LAST.value] = moment.ties[cell]
    row[Further.ORTHOGONAL.value] = down + across == 1
    row[Further.NEXT_IN_ROW.value] = down == 0 and across == 1
    if row[Feature.LAST_IN_HOUSE.value] == 0.0:
        row[Further.DISTANCE_OF_BOX_SINGLE.value] = distance * (ways & IN_BOX > 0)
        row[Further.DISTANCE_OF_NAKED.value] = distance * (ways == NAKED)
    if before >= 0:
        down = houses[cell, 0] - houses[before, 0]
        across = houses[cell, 1] - houses[before, 1]
        apart = np.sqrt(float(down * down + across * across))
        row[Further.DISTANCE_BEFORE.value] = apart / board.size
        row[Further.RELATION_TO_BEFORE.value] = board.relation[before, cell]


@lean_kernel
def _compare_singles(moment, table, cells, n_open):
    """Compare each single with the others, and at an impasse each marked cell with the others."""
    nearest_marked = np.inf
    n_singles = int(moment.history[N_SINGLES])
    for i in range(n_open):
        row = table[i]
        if moment.ways[cells[i]]:
            fuller, nearer = 0, 0
            for j in range(n_open):
                if moment.ways[cells[j]]:
                    fuller += table[j, Further.LOG_EMPTIES.value] < row[Further.LOG_EMPTIES.value]
                    nearer += table[j, Feature.DISTANCE.value] < row[Feature.DISTANCE.value]
            row[Further.LOG_FULLER.value] = np.log(1.0 + fuller)
            row[Further.NEAREST_AND_FULLEST.value] = fuller == 0 and nearer == 0
        elif moment.support[cells[i]] != UNSUPPORTED:
            nearest_marked = min(nearest_marked, table[i, Feature.DISTANCE.value])
    for i in range(n_open):
        if n_singles == 0 and moment.support[cells[i]] != UNSUPPORTED:
            near = table[i, Feature.DISTANCE.value] <= nearest_marked
            table[i, Further.NEAREST_MARKED.value] = near


@lean_kernel
def _compare(moment, board, table, cells, n_open):
    """Compare each open cell with the singles."""
    last = int(moment.history[LAST])
    n_in_box = 0
    fewest = np.inf
    for i in range(n_open):
        single = cells[i]
        if moment.ways[single]:
            fewest = min(fewest, table[i, Further.LOG_EMPTIES.value])
            n_in_box += last >= 0 and board.houses[single, 2] == board.houses[last, 2]
            for j in range(n_open):
                if j != i:
                    near = board.nearness[single, cells[j]]
                    table[j, Further.SINGLES_NEAR.value] += near
    for i in range(n_open):
        cell = cells[i]
        row = table[i]
        if moment.ways[cell]:
            row[Further.FEWEST_EMPTIES.value] = row[Further.LOG_EMPTIES.value] <= fewest
            if last >= 0 and board.houses[cell, 2] == board.houses[last, 2]:
                row[Further.LOG_SINGLES_OF_BOX.value] = np.log(n_in_box)
        elif moment.support[cell] != UNSUPPORTED:
            row[Further.MARKED_SINGLES_NEAR.value] = row[Further.SINGLES_NEAR.value]
