"""Ladders with some techniques only."""

import pytest
from helpers.command import run
from helpers.samples.sudokus import EXAMPLES

from nando.solvers.logic import read_order, select_techniques, standard_ladder, walk_through
from nando.solvers.logic.orders.order import find_rungs, with_families

LADDER = standard_ladder("sudoku")
XY_WING = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"


def names(ladder):
    return [technique.name for technique in ladder]


def test_a_name_selects_all_that_contain_its_words():
    assert names(select_techniques(LADDER, only=["X-wing"])) == ["X-wing"]
    assert names(select_techniques(LADDER, only=["x wings", "Jellyfish"])) == [
        "X-wing",
        "jellyfish",
    ]
    assert names(select_techniques(LADDER, only=["naked"])) == [
        *("naked single", "naked pair", "naked triplet", "naked quad")
    ]
    chains = [name for name in names(LADDER) if "chain" in name]
    assert names(select_techniques(LADDER, only=["chains"])) == chains
    assert names(select_techniques(LADDER, without=["chain"])) == [
        name for name in names(LADDER) if name not in chains
    ]
    both = select_techniques(LADDER, only=["pairs"], without=["direct"])
    assert names(both) == ["naked pair", "hidden pair", "aligned pair exclusion"]
    assert select_techniques(LADDER) == LADDER


@pytest.mark.parametrize(
    ("name", "ladder", "found"),
    [
        ("Y-Wing", LADDER, ["XY-wing"]),
        ("hidden pair", LADDER, ["hidden pair"]),
        ("hidden pairs", LADDER, ["direct hidden pair", "hidden pair"]),
        ("Uniqueness Test 1", LADDER, ["unique rectangle type 1"]),
        ("Simple Colors", LADDER, ["simple colouring"]),
        ("x-wing", read_order("hodoku").ladder, ["X-wing"]),
        ("Finned X-Wing", read_order("hodoku").ladder, ["finned X-wing"]),
        (
            "innie",
            standard_ladder("variant"),
            ["innie or outie", "innies or outies", "larger innies or outies"],
        ),
    ],
)
def test_names_in_any_style_find_rungs(name, ladder, found):
    assert names(find_rungs(ladder, name)) == found
    assert {*found} <= {*names(find_rungs(ladder, name, broadly=True))}


def test_families_come_before_the_rungs_that_find_them():
    families = [rung for name in ("W-wing", "skyscraper") for rung in find_rungs(LADDER, name)]
    ladder = names(with_families(LADDER, families))
    assert ladder[ladder.index("chain") - 1] == "W-wing"
    assert ladder[ladder.index("two strong links") - 1] == "skyscraper"
    assert with_families(LADDER, LADDER[:3]) == LADDER


def test_unknown_selections_are_refused():
    with pytest.raises(ValueError, match="called 'skyscrapers'; there are full house,"):
        select_techniques(LADDER, only=["skyscrapers"])
    for chosen in ({"only": []}, {"only": ["swordfish"], "without": ["swordfish"]}):
        with pytest.raises(ValueError, match="no technique is left"):
            select_techniques(LADDER, **chosen)


def test_walks_use_no_other_technique():
    for puzzle in EXAMPLES[:3]:
        ladder = select_techniques(LADDER, without=["hidden", "pointing"])
        walk = walk_through(puzzle, ladder)
        assert {taken.step.technique for taken in walk.steps} <= set(ladder)


def test_the_command():
    whole = run("explain", XY_WING).stdout
    assert "XY-wing with pivot" in whole
    without = run("explain", "--without", "xy-wing", XY_WING)
    assert without.exit_code == 0
    assert "XY-wing" not in without.stdout
    stuck = run("explain", "--only", "singles, pairs", XY_WING).stdout
    assert "none of the allowed techniques applies" in stuck
    unknown = run("explain", "--only", "nothing", XY_WING)
    assert unknown.exit_code == 2
    assert "no technique is called 'nothing'" in unknown.stderr


def test_nurikabe():
    ladder = select_techniques(standard_ladder("nurikabe"), without=["what-if"])
    assert "what-if" not in names(ladder)
    assert "deep what-if" not in names(ladder)
    assert "pool" in names(ladder)
