"""The page with a walk to step through: its contents, its size, and its work in a browser."""

import json
import re
from functools import cache

import numpy as np
import pytest
from helpers.command import run
from helpers.pages.browser import BROWSER, PHONE, check_accessible, tabs
from helpers.samples.logic_patterns import PUZZLES

from nando.drawing.boards import KINDS, SAME_LEGEND, position
from nando.drawing.colour import COLOURS
from nando.drawing.plain import layer_of, plain
from nando.drawing.walks import Panel, Section, html, title_of
from nando.play.page import walk_data, write_stepped
from nando.puzzles import Nurikabe, Variant
from nando.solvers.logic import walk_through
from nando.solvers.logic.language import Words

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
NURIKABE = "3...2./....../.....8/....../...1.2/......"
HOSTILE = "</script><script>alert(1)</script>"


def section_of(puzzle, language="en"):
    walk = walk_through(puzzle, language=language)
    panels = [Panel(t.number, t.sentence(), position(t.position, t.step)) for t in walk.steps]
    return Section(puzzle.text, walk.summary(), walk.techniques(), panels)


@cache
def sections():
    return [section_of(PUZZLES["XY-wing"]), section_of(Nurikabe(NURIKABE))]


def page_of(*sections, title="Steps"):
    return "".join(write_stepped(title, "sudoku", sections))


@pytest.mark.thorough
def test_the_page_of_the_hardest_puzzle_is_small(tmp_path):
    file = tmp_path / "x.html"
    assert run("explain", ESCARGOT, "-o", file).exit_code == 0
    assert 100_000 < file.stat().st_size < 400_000


@pytest.mark.parametrize("number", [0, 1], ids=["sudoku", "nurikabe"])
def test_each_picture_follows_from_added_and_dropped_shapes(number):
    section = sections()[number]
    data = walk_data([section])
    (walk,) = data["walks"]
    shown = set()
    for panel, changes in zip(section.panels, walk["panels"], strict=True):
        added, dropped = (np.cumsum(steps).tolist() for steps in changes)
        assert shown.isdisjoint(added)
        assert shown.issuperset(dropped)
        shown = shown - set(dropped) | set(added)
        wanted = {json.dumps([layer_of(s), *plain(s)]) for s in panel.picture.shapes}
        assert {json.dumps(data["shapes"][number]) for number in shown} == wanted
    assert len({json.dumps(shape) for shape in data["shapes"]}) == len(data["shapes"])


def test_the_page_to_step_through_has_the_board_once():
    puzzle = Variant("...4.6..6.23.31.6.5.42313.264..45312+killer:r1c1r1c2:3+low:r3c1")
    data = walk_data([section_of(puzzle)])
    boards = [number for number, shape in enumerate(data["shapes"]) if shape[1] == "b"]
    assert len(boards) == 1
    kinds = {inner[0] for inner in data["shapes"][boards[0]][5]}
    assert kinds == {"p", "t", "g"}
    (shown,) = data["walks"]
    (added, _), *later = shown["panels"]
    assert boards[0] in np.cumsum(added)
    assert all(boards[0] not in np.cumsum(dropped) for _, dropped in later)


def test_layers_put_marks_above_tints_and_links_on_top():
    data = walk_data(sections())
    layers = {shape[1]: set() for shape in data["shapes"]}
    for layer, kind, *_ in data["shapes"]:
        layers[kind].add(layer)
    assert max(layers["c"]) < min(layers["t"])
    assert min(layers["r"]) == 0
    names = {value for shape in data["shapes"] for value in shape if isinstance(value, str)}
    assert set(COLOURS.values()) & names


def test_the_page_asks_for_nothing_and_titles_are_text():
    text = page_of(*sections(), title=HOSTILE)
    assert text.count("<script") == 2
    assert "alert(1)</script>" not in text
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text
    assert page_of(*sections(), title=HOSTILE) == text


def test_every_step_is_in_the_page_without_a_script():
    text = page_of(sections()[0])
    assert text.count("data-step=") == len(sections()[0].panels)
    assert "<noscript>" in text


# In a browser

in_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


by_day_and_night = pytest.mark.parametrize("page", ["light", "dark"], indirect=True)


@pytest.fixture
def page(request, browser, tmp_path):
    file = tmp_path / "x.html"
    file.write_text(page_of(*sections()), encoding="utf-8")
    with tabs(browser, color_scheme=getattr(request, "param", "light"), **PHONE) as opened:
        yield opened(file)


def current(page):
    return page.text_content('section:not([hidden]) [aria-current="step"]')


@in_browser
def test_keys_and_buttons_step_through_the_walk(page):
    n = len(sections()[0].panels)
    assert page.text_content("#count") == f"1 / {n}"
    assert page.is_disabled("#back")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.text_content("#count") == f"3 / {n}"
    assert sections()[0].panels[2].sentence in current(page)
    assert page.text_content("#said") == current(page)
    assert page.get_attribute("#board", "aria-label") == current(page)
    page.click("#last")
    assert page.text_content("#count") == f"{n} / {n}"
    assert page.is_disabled("#on")
    page.keyboard.press("Home")
    page.click('[data-step="5"] >> nth=0')
    assert page.text_content("#count") == f"6 / {n}"


@in_browser
@by_day_and_night
def test_the_board_shows_the_step(page):
    at = next(i for i, p in enumerate(sections()[0].panels) if p.sentence.startswith("XY-wing"))
    page.click(f'[data-step="{at}"] >> nth=0')
    strikes = page.locator('#board path[style*="--draw-red"]')
    assert strikes.count() == 1
    drawn = page.locator("#board > *").count()
    assert drawn == len(set(sections()[0].panels[at].picture.shapes))
    fill = page.evaluate(
        "getComputedStyle(document.querySelector('#board text[font-weight=bold]')).fill"
    )
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (fill == "rgb(26, 26, 26)") != dark


@in_browser
def test_nothing_is_wider_than_a_phone_and_another_puzzle_opens(page):
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.select_option("#puzzle", "1")
    assert page.text_content("#count") == f"1 / {len(sections()[1].panels)}"
    assert sections()[1].panels[0].sentence in current(page)
    assert page.locator("section[data-walk]:visible").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@in_browser
@by_day_and_night
def test_the_page_is_accessible(page):
    check_accessible(page)


# The texts of the pages


def test_pages_of_walks_speak_the_language_of_the_walk():
    puzzle = PUZZLES["XY-wing"]
    section = section_of(puzzle, "de")
    for write in (write_stepped, html):
        page = "".join(write(title_of([puzzle], "de"), "sudoku", [section], "de"))
        assert '<html lang="de">' in page
        assert "<h1>Sudoku, Schritt für Schritt</h1>" in page
        for words in ("bildet das Muster", ">Wertung<", "Nackter Einer", "SE-Wertung 4,2"):
            assert words in page
        for english in ("makes the pattern", ">rating<", "aked single", "step by step"):
            assert english not in page


def test_every_sign_of_a_kind_is_in_the_legend():
    english = Words("en", "drawings").table
    for kind in KINDS.keys() - SAME_LEGEND.keys():
        named = {key.rpartition(".")[2] for key in english if key.startswith(f"legend.{kind}.")}
        assert named == {key for key, _ in KINDS[kind].legend}
