"""The walk of puzzles as one HTML file: a picture and a sentence a step, made to be printed."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from nando.drawing.kinds import legend
from nando.drawing.shapes import Picture
from nando.drawing.svg import FONTS, svg


class Panel(NamedTuple):
    """A step to be shown: its number, a sentence, and the picture."""

    number: int
    sentence: str
    picture: Picture


class Section(NamedTuple):
    """A puzzle: its line, what is said of the whole, the table of techniques, and its steps."""

    line: str
    summary: str
    techniques: Sequence[tuple[str, str, int]]
    panels: Sequence[Panel]


def html(title: str, kind: str, sections: Sequence[Section]) -> Iterator[str]:
    """The parts of the file, in order."""
    yield _HEAD.format(title=escape(title), fonts=FONTS)
    yield f"<h1>{escape(title)}</h1>\n{_legend(kind)}\n"
    for section in sections:
        yield from _section(section)
    yield "</main>\n</body>\n</html>\n"


def _section(section: Section) -> Iterator[str]:
    yield f"<section>\n<p class=line>{escape(section.line)}</p>\n"
    yield f"<p>{escape(section.summary)}</p>\n"
    if section.techniques:
        yield "<table><tr><th>technique<th>rating<th>steps\n"
        for name, rating, count in section.techniques:
            yield f"<tr><td>{escape(name)}<td>{escape(rating)}<td>{count}\n"
        yield "</table>\n"
    yield "<div class=steps>\n"
    for panel in section.panels:
        yield (
            f"<figure>{svg(panel.picture, title=panel.sentence)}"
            f"<figcaption><b>{panel.number}</b> {escape(panel.sentence)}</figcaption></figure>\n"
        )
    yield "</div>\n</section>\n"


def _legend(kind: str) -> str:
    items = "".join(
        f"<li>{svg(Picture(1, 1, tuple(shapes)), unit=18)} {words}"
        for words, shapes in legend(kind)
    )
    return f"<ul>{items}</ul>"


_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="nando">
<title>{title}</title>
<style>
@page {{ size: a4; margin: 12mm 16mm; }}
* {{ box-sizing: border-box; margin: 0; padding: 0; }}
body {{ background: #e4e4e2; color: #1a1a1a; font: 14px/1.45 {fonts}; }}
main {{ max-width: 1180px; margin: 24px auto; padding: 36px 40px 44px; background: #fff;
  box-shadow: 0 1px 8px #0003; }}
h1 {{ font-size: 26px; line-height: 1.2; padding-bottom: 8px; border-bottom: 2px solid #1a1a1a; }}
ul {{ display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 14px 0 0; list-style: none;
  font-size: 12px; color: #444; }}
li {{ display: flex; align-items: center; gap: 6px; }}
section {{ margin-top: 26px; }}
section + section {{ margin-top: 40px; padding-top: 26px; border-top: 1px solid #bbb; }}
.line {{ font-family: "DejaVu Sans Mono", Consolas, monospace; font-size: 12px;
  overflow-wrap: anywhere; margin-bottom: 8px; }}
table {{ margin-top: 12px; border-collapse: collapse; font-size: 13px; }}
th {{ font-weight: normal; font-size: 12px; color: #616161; text-align: right; }}
td {{ border-bottom: 1px solid #d8d8d8; text-align: right; }}
th, td {{ padding: 3px 0 3px 28px; }}
th:first-child, td:first-child {{ padding-left: 0; text-align: left; }}
.steps {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr));
  gap: 30px 34px; margin-top: 24px; }}
figure {{ break-inside: avoid; }}
figure:only-child {{ max-width: 520px; }}
figure svg {{ display: block; width: 100%; height: auto; }}
figcaption {{ padding: 8px 4px 0 22px; font-size: 13px; }}
figcaption b {{ font-size: 15px; margin-right: 3px; }}
@media print {{
  body {{ background: none; font-size: 10pt; }}
  main {{ max-width: none; margin: 0; padding: 0; box-shadow: none; }}
  .steps {{ display: block; margin-top: 6mm; orphans: 1; widows: 1; }}
  figure {{ display: inline-block; vertical-align: top; width: 74mm; margin: 0 0 3mm; }}
  figure:nth-child(even) {{ margin-left: 26mm; }}
  figcaption {{ min-height: 11mm; font-size: 7.5pt; }}
  figcaption b {{ font-size: 9pt; }}
  section + section {{ break-before: page; border: 0; margin: 0; padding: 0; }}
  tr, li {{ break-inside: avoid; }}
  * {{ -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
}}
</style>
</head>
<body>
<main>
"""
