"""Pictures for the documentation: pages to play and to organise, on a phone and on a large screen.

``python -m helpers.pages.pictures``, in the folder ``tests``, draws them again.
"""

import tempfile
from pathlib import Path

import httpx
import numpy as np
from playwright.sync_api import sync_playwright

from helpers.command import run
from helpers.pages.browser import BROWSER, join
from helpers.pages.contests import PASSWORD, Visitor, begin, blanks, entry, served
from nando.games import load_fill_order
from nando.puzzles import read_puzzles
from nando.serve import PuzzlePart

ROOT = Path(__file__).resolve().parents[3]
IMAGES = ROOT / "docs" / "images"
PHONE, SCREEN = {"width": 390, "height": 844}, {"width": 1100, "height": 800}
STEPS = 69
"""Steps of the walk before the one that is shown."""


def draw_played():
    """Write the pictures of a page to play."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        for name in ("puzzles", "nurikabe"):
            path = Path(folder) / f"{name}.html"
            run("play", ROOT / "examples" / f"{name}.txt", "-o", path, "--title", "Tuesday evening")
        phone = browser.new_page(viewport=PHONE)
        phone.goto((Path(folder) / "nurikabe.html").as_uri())
        phone.click("#start")
        for cell in (1, 9, 11, 16, 18, 20, 25, 27):
            phone.locator(f'[data-cell="{cell}"]').click()
        phone.screenshot(path=IMAGES / "play-phone.png")
        screen = browser.new_page(viewport=SCREEN, color_scheme="dark", locale="en-GB")
        screen.goto((Path(folder) / "puzzles.html").as_uri())
        screen.select_option("#puzzle", "4")
        screen.click("#start")
        screen.click("#walk")
        for _ in range(STEPS):
            screen.click("#walk-on")
        screen.screenshot(path=IMAGES / "play-screen.png")
        browser.close()


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


def draw_contest():
    """Write the pictures of both pages of a contest."""
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
    draw_played()
    draw_contest()
