"""A laid-out book as one HTML file with inline SVG: no script, no network, print-ready."""

from collections.abc import Iterator
from html import escape
from typing import IO

from nando.books.layout import (
    COLUMNS,
    HINT_LEGEND,
    LABEL,
    ROW,
    SOLUTION_LABEL,
    STAR_SHAPE,
    STARS,
    TIME,
    Figure,
    Layout,
    Page,
    print_style,
)
from nando.drawing.kinds import board
from nando.drawing.svg import svg
from nando.generators.records import Record


def write_html(layout: Layout, file: IO[bytes]) -> None:
    """Write a book into a binary file, page by page."""
    file.write(_head(layout).encode())
    for page in layout.pages:
        side = "odd" if page.number % 2 else "even"
        file.write(
            f'<section class="page {page.kind} {side}" id="page-{page.number}">\n'
            '<div class="area">\n'.encode()
        )
        for part in _PAGES[page.kind](layout, page):
            file.write(f"{part}\n".encode())
        file.write(b"</div>\n</section>\n")
    file.write(b"</main>\n</body>\n</html>\n")


def _head(layout: Layout) -> str:
    size = layout.size
    width, height = size.area
    return _HEAD.format(
        title=escape(layout.title),
        title_size=_pt(min(0.12 * width, 54) * min(1, (16 / len(layout.title)) ** 0.5)),
        page_width=_pt(size.width),
        page_height=_pt(size.height),
        inner=_pt(size.inner),
        outer=_pt(size.outer),
        top=_pt(size.top),
        width=_pt(width),
        height=_pt(height),
        row=_pt(ROW),
        label=_pt(LABEL),
        small=_pt(SOLUTION_LABEL),
        time=_pt(TIME),
        column=_pt(COLUMNS[1]),
        star=" ".join(f"{0.5 + x:.4g},{0.5 - y:.4g}" for x, y in STAR_SHAPE),
    )


# Pages


def _title(layout: Layout, _: Page) -> Iterator[str]:
    yield f"<hgroup><h1>{escape(layout.title)}</h1><p>{escape(layout.subtitle)}</p></hgroup>"
    rows, columns = layout.cover.puzzle.shape
    width, height = layout.size.area
    cell = min(0.62 * width / columns, 0.5 * height / rows)
    yield f'<div class="cover" aria-hidden="true">{_svg(layout.cover, cell)}</div>'
    yield f"<footer><small>{escape(layout.footer)}</small></footer>"


def _contents(layout: Layout, page: Page) -> Iterator[str]:
    yield from _frame(layout, page)
    heads = f"<th></th><th>{layout.measure}</th><th>puzzles</th><th>page</th>"
    yield f"<table><thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for entry in page.entries:
        yield (
            f'<tr><td><div><a href="#page-{entry.page}">{escape(entry.title)}</a>'
            f"{_stars(entry.stars)}</div></td>"
            f"<td>{entry.length}</td><td>{entry.puzzles}</td><td>{entry.page}</td></tr>"
        )
    yield "</tbody></table>"
    if any(entry.length for entry in page.entries):
        yield f'<p class="legend">{layout.legend}</p>'


def _puzzles(layout: Layout, page: Page) -> Iterator[str]:
    yield from _frame(layout, page)
    for figure in page.figures:
        record = figure.record
        time = f"<i>{record.length}</i>" if record.length else ""
        caption = (
            f'<a href="#solution-{figure.number}"><b>{figure.number}</b></a>'
            f"{_stars(record.stars)}{time}"
        )
        yield _figure(figure, LABEL, "puzzle", caption, _svg(record, figure.cell))


def _hints(layout: Layout, page: Page) -> Iterator[str]:
    yield from _frame(layout, page)
    yield f'<p class="legend">{HINT_LEGEND}</p>'
    for hint in page.hints:
        yield (
            f'<p class="hint" style="left:{_pt(hint.x)};top:{_pt(hint.y - 8)}">'
            f'<a href="#puzzle-{hint.number}"><b>{hint.number}</b></a> {hint.cell}</p>'
        )


def _solutions(layout: Layout, page: Page) -> Iterator[str]:
    yield from _frame(layout, page)
    for figure in page.figures:
        caption = f'<a href="#puzzle-{figure.number}"><b>{figure.number}</b></a>'
        drawn = _svg(figure.record, figure.cell, figure.record.solution, weight=0.55)
        yield _figure(figure, SOLUTION_LABEL, "solution", caption, drawn)


_PAGES = {
    "title": _title,
    "contents": _contents,
    "puzzles": _puzzles,
    "hints": _hints,
    "solutions": _solutions,
}


# Parts of pages


def _frame(layout: Layout, page: Page) -> Iterator[str]:
    yield (
        f"<header><h2>{escape(page.heading)}</h2>{_stars(page.stars)}"
        f"<i>{escape(page.detail)}</i></header>"
    )
    yield f"<footer><small>{escape(layout.footer)}</small><b>{page.number}</b></footer>"


def _stars(count: int) -> str:
    if not count:
        return ""
    stars = "".join(
        f'<use href="#star" x="{1.06 * i:.4g}"{"" if i < count else _EMPTY}/>' for i in range(STARS)
    )
    return (
        f'<svg class="stars" role="img" viewBox="0 0 {1.06 * STARS:.4g} 1">'
        f"<title>{count} of {STARS} stars</title>{stars}</svg>"
    )


_EMPTY = ' fill="#bfbfbf"'


def _figure(figure: Figure, label: float, name: str, caption: str, drawn: str) -> str:
    place = f"left:{_pt(figure.x)};top:{_pt(figure.y - label)}"
    return (
        f'<figure class="{name}" id="{name}-{figure.number}" style="{place}">'
        f"<figcaption>{caption}</figcaption>{drawn}</figure>"
    )


def _svg(record: Record, cell: float, solution: str = "", weight: float = 1.0) -> str:
    return svg(board(record.puzzle, print_style(cell, weight), solution), points=cell)


def _pt(length: float) -> str:
    return f"{length:.2f}pt"


_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="nando">
<title>{title}</title>
<style>
@page {{ size: {page_width} {page_height}; margin: 0; }}
* {{ box-sizing: border-box; margin: 0; padding: 0; }}
body {{ background: #e4e4e2; color: #000; line-height: 1;
  font-family: "Bitstream Vera Sans", "DejaVu Sans", Verdana, sans-serif; }}
a {{ color: inherit; text-decoration: none; }}
i {{ font-style: normal; color: #616161; }}
.page {{ position: relative; width: {page_width}; height: {page_height}; overflow: hidden;
  margin: 18pt auto; background: #fff; box-shadow: 0 1pt 6pt #0003; }}
.area {{ position: absolute; top: {top}; width: {width}; height: {height}; }}
.odd .area {{ left: {inner}; }}
.even .area {{ left: {outer}; }}
header {{ display: flex; align-items: baseline; gap: 12pt; padding-bottom: 5pt;
  border-bottom: 0.6pt solid #000; }}
header h2 {{ font-size: 11pt; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
header i {{ margin-left: auto; font-size: 8pt; white-space: nowrap; }}
footer {{ position: absolute; top: calc(100% + 18pt); width: 100%; display: flex; gap: 20pt;
  align-items: baseline; justify-content: space-between; font-size: 9pt; }}
.even footer {{ flex-direction: row-reverse; }}
footer b {{ font-weight: normal; }}
small {{ font-size: 6.5pt; color: #616161; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; }}
svg {{ display: block; overflow: visible; }}
.stars {{ height: 8.5pt; width: 45pt; flex: none; align-self: center; }}
.title .area {{ text-align: center; }}
hgroup {{ margin-top: calc(0.13 * {height}); padding: 24pt 0 22pt;
  border: solid #000; border-width: 1.7pt 0; }}
h1 {{ font-size: {title_size}; line-height: 1.12; overflow-wrap: anywhere; text-wrap: balance; }}
hgroup p {{ margin-top: 12pt; font-size: 13pt; line-height: 1.4; color: #616161; }}
.cover {{ display: flex; justify-content: center; margin-top: 48pt; }}
.title footer {{ justify-content: center; }}
table {{ width: 100%; margin-top: 22pt; border-collapse: collapse; table-layout: fixed; }}
th {{ font-size: 8pt; font-weight: normal; color: #616161; }}
th, td {{ text-align: right; white-space: nowrap; }}
th:nth-child(2) {{ width: {time}; }}
th:nth-child(n+3) {{ width: {column}; }}
td {{ height: {row}; font-size: 11pt; border-bottom: 0.45pt solid #bfbfbf; }}
td div {{ display: flex; align-items: center; gap: 12pt; }}
td a {{ font-weight: bold; overflow: hidden; text-overflow: ellipsis; }}
.legend {{ padding-top: 12pt; font-size: 8pt; line-height: 1.45; color: #616161; }}
figure {{ position: absolute; }}
figcaption {{ display: flex; align-items: baseline; gap: 8pt; }}
.puzzle figcaption {{ height: {label}; font-size: 12pt; }}
.puzzle figcaption a {{ margin-right: auto; }}
.puzzle figcaption i {{ font-size: 9pt; color: #000; }}
.puzzle .stars {{ align-self: auto; }}
.solution figcaption {{ height: {small}; font-size: 7pt; }}
.hint {{ position: absolute; font-size: 9pt; white-space: nowrap; }}
.hint a {{ display: inline-block; width: 19pt; margin-right: 3pt; text-align: right; }}
@media print {{
  body {{ background: none; }}
  .page {{ margin: 0; box-shadow: none; break-after: page; break-inside: avoid; }}
  .page:last-child {{ break-after: auto; }}
}}
</style>
</head>
<body>
<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
<polygon id="star" points="{star}"/>
</defs></svg>
<main>
"""
