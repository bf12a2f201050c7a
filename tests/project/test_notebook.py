"""Results in a notebook: well-formed HTML with the values of the result."""

import re
from xml.etree import ElementTree

import pytest
from helpers.notebooks import Printer
from helpers.sampled import only
from helpers.samples.sudokus import LINE, SOLUTION

import nando
from nando.displayed import Displayed
from nando.games import PredictedOrder, load_fill_order, order_grid
from nando.puzzles import Nurikabe, Sudoku, read_puzzle
from nando.rating import Ratings

SMALL = "3...2./....../.....8/....../...1.2/......"


def shown(value):
    """Return the elements of a value's HTML in a notebook."""
    return ElementTree.fromstring(value._repr_html_())


def texts(value):
    return [text for text in shown(value).itertext() if text]


def digits(value):
    """Return the digits in the cells of a board, without the numbers of rows and columns."""
    board = next(shown(value).iter("{http://www.w3.org/2000/svg}svg"))
    groups = board.iter("{http://www.w3.org/2000/svg}g")
    cells = [group for group in groups if float(group.get("font-size", 0)) > 0.4]
    return sorted(text for group in cells for text in group.itertext())


def rows(value):
    """Return the rows of all tables as lists of texts."""
    return [["".join(cell.itertext()) for cell in row] for row in shown(value).iter("tr")]


@pytest.mark.parametrize("puzzle", [Sudoku(LINE), Nurikabe(SMALL)])
def test_a_puzzle_is_drawn(puzzle):
    assert digits(puzzle) == sorted(re.findall(r"\d", puzzle.text))
    assert texts(puzzle)[0] == puzzle.text  # the alternative text


def test_a_solution_is_drawn():
    assert digits(nando.solve(LINE)) == sorted(SOLUTION)
    cut = nando.solve(LINE, method="annealing", steps=1)
    assert digits(cut) == sorted(re.findall(r"\d", LINE))
    assert texts(cut)[-1] == "not solved (step limit)"


@pytest.mark.parametrize("puzzle", [LINE, SMALL])
def test_a_rating_is_a_board_and_its_facts(puzzle):
    rating = nando.rate(puzzle)
    facts = dict(rows(rating))
    assert f"{facts['time']} ({facts['interval']}), {facts['grade']}" == str(rating)
    assert facts["made of"] == rating.reasons
    assert facts.get("note", "") == rating.flags
    assert digits(rating) == digits(rating.puzzle)


def test_ratings_are_a_table():
    one = nando.rate(LINE)
    ratings = nando.rate([LINE] * 3)
    assert isinstance(ratings, list)
    assert ratings == [one] * 3
    heading, *others = rows(ratings)
    assert heading[:3] == ["", "givens", "time"]
    assert [row[0] for row in others] == ["0", "1", "2"]
    assert f"{others[0][2]} ({others[0][3]}), {others[0][4]}" == str(one)
    assert rows(ratings[1:]) == [heading, *others[:2]]
    many = Ratings([one] * 60)
    assert len(rows(many)) == 51
    assert texts(many)[-1] == "and 10 more; to_frame() has all of them"
    bad = ValueError("puzzles[1]: <no> solution")
    assert rows(Ratings([one, bad]))[2] == ["1", *[""] * 5, str(bad)]
    assert rows(nando.rate([])) == [heading]


@pytest.mark.parametrize("puzzle", [LINE, SMALL])
@pytest.mark.parametrize("language", only(["en"], ["en", "de"]))
def test_walks_lists_and_steps_are_in_words(puzzle, language):
    walk = nando.explain(puzzle, language=language)
    first = [walk.steps[0].step.technique.name]
    for value in (walk, nando.list_steps(puzzle, only=first, language=language)):
        assert value.summary() in texts(value)
        counts = [[name, rating, str(count)] for name, rating, count in value.techniques()]
        assert rows(value)[1:] == counts
        sentences = ["".join(item.itertext()) for item in shown(value).iter("li")]
        assert sentences == [taken.sentence() for taken in value.steps]
    taken = value.steps[0]
    assert f"{taken.number}. {taken.sentence()}" in texts(taken)


def test_a_new_puzzle_shows_what_was_asked_for():
    record = nando.generate(minutes=8, seed=7)
    facts = dict(rows(record))
    assert facts["grade"] == record.grade
    assert digits(record) == digits(record.puzzle)
    assert rows(nando.generate(seed=7)) == []


@pytest.mark.parametrize("text", [LINE, SMALL])
def test_a_predicted_order_is_a_heat_map(text):
    puzzle = read_puzzle(text)
    places = load_fill_order(kind=puzzle.kind).expected_order(puzzle, runs=5)
    order = PredictedOrder(puzzle, places)
    assert str(order) == order_grid(puzzle, places)
    blanks = int((puzzle.givens == 0).sum())
    assert {str(rank) for rank in range(10, blanks + 1)} <= set(texts(order))


def test_other_objects_are_not_drawn():
    with pytest.raises(TypeError, match="does not draw a list"):
        nando.notebook.html([])


def test_everything_displayed_can_be_drawn():
    def kinds(kind):
        return {kind, *(below for child in kind.__subclasses__() for below in kinds(child))}

    drawn = {nando.notebook.html.dispatch(kind) for kind in kinds(Displayed) - {Displayed}}
    assert nando.notebook.html.dispatch(object) not in drawn


@pytest.mark.parametrize("puzzle", [LINE, SMALL])
def test_where_there_is_only_text_it_is_short(puzzle):
    walk = nando.explain(puzzle)
    values = (nando.rate(puzzle), nando.rate([puzzle, puzzle]), walk, walk.steps[0], walk.puzzle)
    for value in values:
        printer = Printer()
        value._repr_pretty_(printer, False)
        assert printer.written == str(value)
        # Otherwise IPython shows the __repr__, which is the whole position.
        assert "_repr_pretty_" in vars(type(value))
        assert "Shading(" not in printer.written
        assert "PencilMarks(" not in printer.written
    assert str(walk.steps[0]) == f"1. {walk.steps[0].sentence()}"
    assert str(nando.rate([puzzle, puzzle])).splitlines() == [str(nando.rate(puzzle))] * 2
