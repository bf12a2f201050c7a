"""Steps on Nurikabe, each and all: by definitions, all solutions and published puzzles."""

import csv

import numpy as np
import pytest
from helpers.data import stored
from helpers.plain_kernels import compiled_and_plain
from helpers.sampled import one_in
from helpers.samples.nurikabe_boards import EASY, SMALL, WHAT_IF, solutions
from helpers.samples.nurikabe_positions import DIRECT, NAIVE, positions

from nando.puzzles import PuzzleError, Sudoku
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers import logic
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic.language import words_for
from nando.solvers.logic.nurikabe import reach_steps, river, rungs, what_ifs
from nando.solvers.logic.nurikabe.board_walk import NurikabeWalker, every_step
from nando.solvers.logic.nurikabe.reach_steps import COLOUR, N_CELLS, new_finding, new_groups
from nando.solvers.logic.nurikabe.shading import contradiction_of, is_what_if
from nando.solvers.logic.technique import rungs_of
from nando.solvers.logic.wording.nurikabe import Names, contradiction
from nando.solvers.nurikabe import state as board_state
from nando.solvers.nurikabe.state import OPEN, colour_cell, new_state


def found(state, technique):
    """Return cells and colour of the step that a technique finds, or None."""
    finding = new_finding(state)
    rung = rungs.find_step(state, new_groups(state), rungs_of((technique,)), finding)
    if rung < 0:
        return None
    cells = finding.cells[: finding.head[N_CELLS]].tolist()
    assert len(set(cells)) == len(cells)
    assert all(state.colour[cell] == OPEN for cell in cells)
    width = state.width
    return {(cell // width - 1, cell % width - 1) for cell in cells}, ".o#"[finding.head[COLOUR]]


@pytest.mark.thorough
@pytest.mark.parametrize("technique", DIRECT, ids=[t.name for t in DIRECT])
def test_a_technique_finds_a_step_where_its_definition_has_one(technique):
    n_found = 0
    # Some definitions are slow to evaluate.
    slow = technique.kernel in (rungs.BLOCK_BREAKER, rungs.STRANDED)
    for state, position in positions()[:: 4 if slow else 1]:
        wanted = list(NAIVE[technique.kernel](position, technique.degree))
        step = found(state, technique)
        assert (step in wanted) if wanted else step is None, position.board
        n_found += step is not None
    assert n_found > 3


@pytest.mark.thorough
@pytest.mark.parametrize(
    "technique", logic.NURIKABE_LADDER, ids=[t.name for t in logic.NURIKABE_LADDER]
)
def test_a_technique_colours_cells_as_all_solutions_do(technique):
    """This holds with several solutions, too, and if the technique is the only one."""
    rng = np.random.default_rng(8)
    for puzzle in SMALL[:: 1 if technique.kernel in NAIVE else 3]:
        wanted = solutions(puzzle)
        state = new_state(puzzle)
        cells = np.flatnonzero(state.colour != 3)
        # A random start: some cells of one solution, which narrows the solutions down.
        kept = wanted[rng.integers(len(wanted))]
        for i in np.flatnonzero(rng.random(16) < 0.3):
            colour_cell(state, cells[i], int(kept[i]))
        given = state.colour[cells].copy()
        wanted = wanted[((wanted == given) | (given == OPEN)).all(axis=1)]
        uses = np.zeros(1, np.int64)
        finding = new_finding(state)
        rungs.climb(state, new_groups(state), rungs_of((technique,)), finding, uses)
        coloured = state.colour[cells]
        assert ((wanted == coloured) | (coloured == OPEN)).all(), puzzle


def test_the_whole_ladder_colours_what_all_solutions_share():
    """On small boards, the deep what-if misses nothing."""
    for puzzle in SMALL[:12]:
        wanted = solutions(puzzle)
        state = new_state(puzzle)
        finding, uses = new_finding(state), np.zeros(len(logic.NURIKABE_LADDER), np.int64)
        rungs.climb(state, new_groups(state), rungs_of(logic.NURIKABE_LADDER), finding, uses)
        coloured = state.colour[:-1].reshape(6, 6)[1:-1, 1:-1].ravel()
        same = (wanted == wanted[0]).all(axis=0)
        assert np.array_equal(coloured, np.where(same, wanted[0], OPEN)), puzzle


@pytest.mark.thorough
def test_compiled_and_plain_python_find_the_same_steps():
    puzzles = [EASY, *(puzzle for puzzle in SMALL[:12] if len(solutions(puzzle)) == 1)]
    compiled, plain = compiled_and_plain(
        lambda: [list(logic.LogicSolver().steps(puzzle)) for puzzle in puzzles],
        *(reach_steps, river, what_ifs, rungs, board_state),
    )
    assert compiled == plain


# Steps


def test_steps_lead_to_the_solution_and_say_why():
    board = logic.LogicSolver().start(EASY)
    lines = []
    for step in logic.LogicSolver().steps(EASY):
        assert not board.values[list(step.cells)].any()
        lines.append(logic.describe(step, board))
        board = board.after(step)
    assert np.array_equal(board.values, unique_solution(EASY))
    assert board.n_blanks == 0
    assert lines[0] == (
        "Between numbers at r5c3: if r5c3 were white, it would join the islands of the 2 at r5c4 "
        "and the 4 at r5c2, so it is black."
    )
    assert (
        "Island of one at the 1 at r1c5: a 1 needs no other cell, so r1c4 and r2c5 are black."
        in lines
    )


def test_what_ifs_tell_the_way_to_the_contradiction():
    board = logic.LogicSolver().start(WHAT_IF)
    sentences = []
    for step in logic.LogicSolver().steps(WHAT_IF):
        before, board = board, board.after(step)
        if not step.supposed:
            continue
        (cell, colour), *_ = step.supposed
        assert step.cells == (cell,)
        assert step.colour == WHITE + BLACK - colour
        assert step.contradiction
        assert step.rating >= step.technique.rating
        sentences.append(logic.describe(step, before))
        assert sentences[-1].count(logic.record(step, before)["contradiction"]) == 1
    assert sentences[0] == (
        "What-if on r1c3: if r1c3 were black, that would make r1c4 white, r1c6 black, r2c1 white, "
        "r3c2 black, r2c6 black and r4c3 white, but then the island of the 8 at r3c6 could not "
        "grow beyond size 7, so r1c3 is white."
    )


@pytest.mark.parametrize(
    ("text", "marks", "fault"),
    [
        (
            "2../.../..1",
            "o##.##..o",
            "the 2x2 block whose top left cell is r1c2 would be all black",
        ),
        ("1.1", "ooo", "the islands of r1c1 and r1c3 would be joined"),
        ("2../.../...", "oo.o.....", "the island of the 2 at r1c1 would have 3 cells"),
        ("2../.../...", "o#.#.....", "the island of the 2 at r1c1 could not grow beyond size 1"),
        ("2../.../...", "o.....#.#", "an island would not have enough room"),
        ("2../.../...", "o....#.#o", "r3c3 would be white without a number"),
        (".3./.../...", "#o##o.#o#", "the river would be cut in two"),
    ],
)
def test_contradictions_are_named(text, marks, fault):
    puzzle = Nurikabe(text)
    found = contradiction_of(puzzle, [".o#".index(mark) for mark in marks])
    step = logic.NurikabeStep(logic.NURIKABE_LADDER[-1], 8.0, (), 1, (), contradiction=found)
    assert contradiction(step, Names(words_for("nurikabe", "en"), puzzle)) == fault


# The solver


def test_ladders_are_of_a_kind():
    only = tuple(t for t in logic.NURIKABE_LADDER if t.kernel == rungs.DEEP_REFUTATION)
    assert list(logic.LogicSolver(only).profile(EASY).uses) == ["deep what-if"]
    # A solver with techniques for Sudoku alone has the standard ladder for others.
    assert logic.LogicSolver(logic.SUKAKU_EXPLAINER[:1]).profile(EASY).solved
    for both in ((*logic.SUKAKU_EXPLAINER[:2], *only), (*only, *logic.SUKAKU_EXPLAINER[:2])):
        assert logic.LogicSolver(both).rungs_for(EASY) == only
        assert logic.LogicSolver(both).rungs_for(Sudoku("." * 81)) == logic.SUKAKU_EXPLAINER[:2]
    assert (
        logic.LogicSolver(logic.NURIKABE_LADDER).rungs_for(Sudoku("." * 81))
        == logic.SUKAKU_EXPLAINER
    )


def test_several_solutions_are_refused():
    loose = Nurikabe("2.../..../....")
    for ask in (logic.LogicSolver().run, logic.LogicSolver().profile, logic.LogicSolver().steps):
        with pytest.raises(PuzzleError):
            ask(loose)


# Published puzzles


def test_no_step_on_published_puzzles_is_wrong():
    with stored("nurikabe/counts.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["solutions"] == "1"]
    puzzles = [Nurikabe(row["grid"]) for row in rows]
    small = [puzzle for puzzle in puzzles if puzzle.n_cells <= 144][::24]
    direct = tuple(DIRECT)
    single = tuple(t for t in logic.NURIKABE_LADDER if t.kernel != rungs.DEEP_REFUTATION)
    solved = {direct: 0, single: 0}
    for puzzle in small:
        solution = unique_solution(puzzle)
        for techniques in solved:
            board = puzzle.givens.copy()
            for step in logic.LogicSolver(techniques).steps(puzzle):
                assert (solution[list(step.cells)] == step.colour).all(), (puzzle, step)
                board[list(step.cells)] = step.colour
            solved[techniques] += bool((board > 0).all())
            assert NurikabeWalker(techniques).rate([puzzle]).solved[0] == (board > 0).all()
    assert 0.25 < solved[direct] / len(small) < 0.75
    assert solved[single] / len(small) > 0.85


# Every possible step


def effort():
    return np.full(1, 100_000)


def shading_of(position):
    """Return the shading of a position of the slow definitions."""
    shape = tuple(1 + max(place) for place in zip(*position.board, strict=True))
    numbers = np.zeros(shape, int)
    values = np.zeros(shape, np.int8)
    for cell, colour in position.board.items():
        numbers[cell] = position.numbers.get(cell, 0)
        values[cell] = {".": 0, "o": WHITE, "#": BLACK}[colour]
    return logic.Shading(Nurikabe.from_numbers(numbers), values.ravel())


@pytest.mark.parametrize("technique", one_in(3, DIRECT), ids=[t.name for t in DIRECT])
def test_a_list_has_what_the_definition_has_and_nothing_else(technique):
    slow = technique.kernel in (rungs.BLOCK_BREAKER, rungs.STRANDED)
    n_listed = 0
    for _, position in positions()[:: 8 if slow else 3]:
        shading = shading_of(position)
        width = shading.puzzle.shape[1]
        listed = {
            (frozenset(divmod(cell, width) for cell in step.cells), ".o#"[step.colour])
            for step in every_step(shading, (technique,), effort())
        }
        wanted = {
            (frozenset(cells), colour)
            for cells, colour in NAIVE[technique.kernel](position, technique.degree)
        }
        assert listed == wanted, position.board
        n_listed += len(listed)
    assert n_listed


@pytest.mark.thorough
def test_a_list_decides_all_cells_that_all_solutions_share():
    """On small boards, deep what-ifs decide all cells that all solutions share, and no others."""
    for puzzle in SMALL[:40]:
        wanted = solutions(puzzle)
        shading = logic.Shading.of(puzzle)
        same = np.where((wanted == wanted[0]).all(axis=0), wanted[0], 0)
        decided = np.zeros(16, int)
        for step in every_step(shading, logic.NURIKABE_LADDER, effort()):
            cells = list(step.cells)
            assert (shading.values[cells] == 0).all()
            assert (same[cells] == step.colour).all(), step
            decided[cells] = step.colour
        assert np.array_equal(decided, np.where(shading.values == 0, same, 0)), puzzle


def test_a_list_has_the_step_of_the_walk_and_no_pattern_twice():
    for puzzle in (EASY, WHAT_IF):
        solution = unique_solution(puzzle)
        for taken in logic.walk_through(puzzle).steps:
            listed = [one.step for one in logic.list_steps(puzzle, start=taken.position).steps]
            assert any(
                step.technique == taken.step.technique
                and step.rating == taken.step.rating
                and set(step.cells) >= set(taken.step.cells)
                for step in listed
            )
            for step in listed:
                assert (solution[list(step.cells)] == step.colour).all()
            patterns = [(step.cells, step.colour, frozenset(step.reason)) for step in listed]
            assert len(set(patterns)) == len(patterns)
            easier: set[int] = set()
            for step in listed:
                assert not (is_what_if(step) and set(step.cells) <= easier)
                easier |= set(step.cells) if not is_what_if(step) else set()


@pytest.mark.thorough
def test_dilemmas_are_true_in_all_solutions():
    dilemma = next(t for t in logic.NURIKABE_LADDER if t.name == "dilemma")
    n_listed = 0
    for puzzle in SMALL:
        wanted = solutions(puzzle)
        for step in every_step(logic.Shading.of(puzzle), (dilemma,), effort()):
            assert (wanted[:, list(step.cells)] == step.colour).all()
            n_listed += 1
    assert n_listed > 10


def test_a_list_says_that_its_effort_was_spent():
    deep = next(t for t in logic.NURIKABE_LADDER if t.name == "deep what-if")
    assert logic.list_steps(WHAT_IF, (deep,)).complete
    short = logic.list_steps(WHAT_IF, (deep,), effort=1)
    assert not short.complete
    assert "not complete" in short.summary()
