"""Pictures of a page to play for the documentation: a phone, and a large dark screen.

``python -m helpers.pages.page_pictures``, in the folder ``tests``, draws them again.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from helpers.command import run
from helpers.pages.browser import BROWSER

ROOT = Path(__file__).resolve().parents[3]
STEPS = 69
"""Steps of the walk before the one that is shown."""


def draw():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        for name in ("puzzles", "nurikabe"):
            path = Path(folder) / f"{name}.html"
            run("play", ROOT / "examples" / f"{name}.txt", "-o", path, "--title", "Tuesday evening")
        phone = browser.new_page(viewport={"width": 390, "height": 844})
        phone.goto((Path(folder) / "nurikabe.html").as_uri())
        phone.click("#start")
        for cell in (1, 9, 11, 16, 18, 20, 25, 27):
            phone.locator(f'[data-cell="{cell}"]').click()
        phone.screenshot(path=ROOT / "docs" / "images" / "play-phone.png")
        screen = browser.new_page(
            viewport={"width": 1100, "height": 800}, color_scheme="dark", locale="en-GB"
        )
        screen.goto((Path(folder) / "puzzles.html").as_uri())
        screen.select_option("#puzzle", "4")
        screen.click("#start")
        screen.click("#walk")
        for _ in range(STEPS):
            screen.click("#walk-on")
        screen.screenshot(path=ROOT / "docs" / "images" / "play-screen.png")
        browser.close()


if __name__ == "__main__":
    draw()
