"""Pictures of a contest for the documentation: both pages, on a phone and on a large screen.

``python -m helpers.pages.contest_pictures``, in the folder ``tests``, draws them again.
"""

import tempfile
from pathlib import Path

import httpx
import numpy as np
from playwright.sync_api import sync_playwright

from helpers.pages.browser import BROWSER, join
from helpers.pages.contests import PASSWORD, Visitor, begin, blanks, entry, served
from helpers.pages.page_pictures import ROOT
from nando.games import load_fill_order
from nando.puzzles import read_puzzles
from nando.serve import PuzzlePart

IMAGES = ROOT / "docs" / "images"
PHONE, SCREEN = {"width": 390, "height": 844}, {"width": 1100, "height": 800}
PLAYERS = {"Ada": (4, 5.0), "Ben": (3, 7.0), "Chiyo": (3, 6.0), "Dag": (2, 9.0), "Eve": (1, 0.4)}
"""Puzzles that were solved, and the median seconds to a fill; Eve types what a solver says."""


def play(client, parts):
    """Play simulated games."""
    rng = np.random.default_rng(4)
    model = load_fill_order(None, "sudoku")
    for name, (n_solved, pace) in PLAYERS.items():
        visitor = Visitor(client)
        visitor.join(name)
        at, seq = 0.0, 0
        for number, puzzle in enumerate(parts[:n_solved]):
            places = model.expected_order(puzzle, runs=5, rng=number)
            moves = sorted(blanks(puzzle), key=lambda move, p=places: p[move[0]])
            seq += 1
            visitor.send(begin(seq, puzzle=number))
            for move in blanks(puzzle) if name == "Eve" else moves:
                seq, at = seq + 1, at + pace * rng.lognormal(0, 0.1 if name == "Eve" else 0.6)
                client.clock.set(at)
                visitor.send(entry(seq, *move, puzzle=number))
    client.clock.set(2_400)


def draw():
    """Write the pictures."""
    found = [item.puzzle for item in read_puzzles(ROOT / "examples" / "puzzles.txt")]
    puzzles = [puzzle for puzzle in found if puzzle.order == 3][:4]
    parts = tuple(
        PuzzlePart(puzzle=puzzle.text, points=10 * n) for n, puzzle in enumerate(puzzles, 1)
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), puzzles=parts, title="Tuesday evening") as client,
        sync_playwright() as playwright,
    ):
        play(client, puzzles)
        client.timeout = httpx.Timeout(120)
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])

        def opened(path, size, **options):
            page = browser.new_page(viewport=size, locale="en-GB", **options)
            page.goto(f"{client.base_url}".rstrip("/") + path)
            return page

        def joined(name, size, **options):
            page = join(opened("/", size, **options), name)
            page.wait_for_selector("#standings-rows tr")
            page.select_option("#puzzle", "1")
            page.click("#start")
            for number, value in blanks(puzzles[1])[:9]:
                page.locator(f'[data-cell="{number}"]').click()
                page.keyboard.press(str(value))
            return page

        joined("Fay", PHONE).screenshot(path=IMAGES / "contest-phone.png", full_page=True)
        screen = joined("Gus", SCREEN, color_scheme="dark")
        screen.wait_for_selector("text=Fay")
        screen.screenshot(path=IMAGES / "contest-screen.png", full_page=True)
        for size, name in ((SCREEN, "screen"), (PHONE, "phone")):
            desk = opened("/organiser", size)
            desk.fill("#password", PASSWORD)
            desk.click("#login button")
            desk.wait_for_selector("#audit-rows tr", timeout=240_000)
            desk.screenshot(path=IMAGES / f"organiser-{name}.png")
        browser.close()


if __name__ == "__main__":
    draw()
