"""Published correlations of features with human times, and what they can be compared with."""

from importlib import resources

from nando.puzzles.files import parse_toml

PAGES = parse_toml((resources.files("nando.evaluation") / "published.toml").read_text("utf-8"))
"""What is published about each kind of puzzle."""

PUBLISHED: dict[str, tuple[float, float]] = {
    name: (fed, org) for name, (fed, org) in PAGES["sudoku"]["numbers"].items()
}
"""Published Pearson correlations with raw times, as magnitudes: fed-sudoku, sudoku.org.uk.

Source: Pelanek 2014 and Krivanek 2011."""


def published_page(kind: str = "sudoku") -> str:
    """Return the published correlations, and why they cannot be compared number by number."""
    if kind not in PAGES:
        return f"No correlations with times of {kind!r} puzzles are published."
    page = PAGES[kind]
    rows = [
        f"  {name:<40} {value}"
        if isinstance(value, str)
        else "  {:<24} {:10.2f}  {:13.2f}".format(name, *value)
        for name, value in page["numbers"].items()
    ]
    return "\n".join(filter(None, [page["heading"], *rows, page["remark"]]))
