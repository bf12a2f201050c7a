"""Draw puzzles, ratings, walkthroughs and orders: as HTML for notebooks, and as pictures in files.

Results inherit from :class:`nando.displayed.Displayed`, which calls :func:`html` when a notebook
displays them. Styles are attributes of the elements, because notebooks remove style sheets. The
background is white, because boards are drawn in black.
"""

import io
from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape
from pathlib import Path
from typing import IO, get_args

from nando.checks import one_of
from nando.drawing.boards import KINDS, board, heat_map, position
from nando.drawing.shapes import MARGIN, ROOM, SCREEN, Picture, column_number, move, row_number
from nando.drawing.svg import svg
from nando.drawing.walks import page_words
from nando.games.orders import PredictedOrder
from nando.games.puzzle_times import AllTimes, draw_times
from nando.generators.records import Record
from nando.names import PictureFormat
from nando.puzzles import Puzzle, as_puzzle
from nando.puzzles.frozen import FrozenText
from nando.rating.result import Rating, Ratings, duration, interval, mark_of
from nando.solvers.logic.listing import Listing
from nando.solvers.logic.walkthrough import Walkthrough, WalkthroughStep
from nando.solvers.registry import Solution
from nando.writing import write_file

MOST_ROWS = 50
"""Most ratings in a table."""

_BOARD, _MARKED = 300, 440
"""Width in pixels of a board, and of a board with pencil marks."""
_LARGEST_CELL, _LEAST_CELL = 36, 14
_UNIT = 48
"""Pixels per cell of a picture in a file."""

_PAPER = (
    "display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start;width:fit-content;max-width:100%;"
    "padding:10px;background:#fff;color:#1a1a1a;font-size:14px;line-height:1.45"
)
_TEXT = "max-width:34em;min-width:18em;flex:1"
_CELL = "padding:2px 18px 2px 0;vertical-align:top;background:#fff;color:#1a1a1a;text-align:left"
_WHOLE = 30
"""Cells of a table with fewer characters are never wrapped."""


def draw(value: object, file: str | Path | IO[bytes], form: PictureFormat | None = None) -> None:
    """Draw a puzzle, a step or another result into a file.

    Parameters
    ----------
    value : puzzle, Rating, Record, Solution, step, walkthrough, predicted order or times
        A puzzle is anything that :func:`nando.puzzles.as_puzzle` takes. A Solution shows the
        solved board, a walkthrough its puzzle.
    file : str, Path or binary stream
        A path ends in .svg, .png or .pdf. PNG and PDF need ``pip install 'nando[plot]'``.
    form : {"svg", "png", "pdf"} or None
        None takes the suffix of the path.

    Raises
    ------
    ValueError
        For another suffix or format, or if matplotlib is needed and not installed.
    TypeError
        For a value that has no picture, for example a list of ratings.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> draw("53..7...." + "." * 72, file, "svg")
    >>> file.getvalue()[:4]
    b'<svg'
    """
    chosen = form or (Path(file).suffix.lower()[1:] if isinstance(file, str | Path) else "")
    one_of("format", chosen, get_args(PictureFormat))
    shown, title = _picture(value)
    data = io.BytesIO()
    if chosen == "svg":
        data.write(svg(shown, unit=_UNIT, title=title).encode())
    else:
        from nando.drawing.png import check_png, write_png

        check_png(f"a .{chosen}", "draw a .svg")
        write_png(shown, data, _UNIT, form=chosen)
    if isinstance(file, str | Path):
        write_file(file, data.getvalue())
    else:
        file.write(data.getvalue())


def svg_of(value: object) -> str:
    """Return a value as an SVG element; TypeError for a value that has no picture."""
    shown, title = _picture(value)
    return svg(shown, unit=_UNIT, title=title)


@singledispatch
def _picture(value: object) -> tuple[Picture, str]:
    """Return the picture of a value, and its title."""
    # A rating, a record or a list of steps has a puzzle.
    return _picture(as_puzzle(value))  # type: ignore[arg-type]


@_picture.register
def _(puzzle: FrozenText) -> tuple[Picture, str]:
    assert isinstance(puzzle, Puzzle)
    return _draw_numbered(puzzle), puzzle.text


@_picture.register
def _(solution: Solution) -> tuple[Picture, str]:
    return _draw_numbered(solution.puzzle, solution.text or ""), solution.puzzle.text


@_picture.register
def _(taken: WalkthroughStep) -> tuple[Picture, str]:
    return position(taken.position, taken.step), str(taken)


@_picture.register
def _(order: PredictedOrder) -> tuple[Picture, str]:
    return heat_map(order.puzzle, order.ranks), f"Predicted fill order of {order.puzzle.text}"


@_picture.register
def _(times: AllTimes) -> tuple[Picture, str]:
    return draw_times(times), "solving times by puzzle"


@singledispatch
def html(value: object) -> str:
    """Return a value as a piece of HTML for a notebook.

    Parameters
    ----------
    value : object
        A puzzle, rating, list of ratings, record, solution, walkthrough, list of steps, step, or
        predicted order.

    Raises
    ------
    TypeError
        For a value of any other type.
    """
    raise TypeError(f"nando does not draw a {type(value).__name__}: show its str()")


@html.register
def _puzzle(puzzle: FrozenText) -> str:
    return _paper(_board(puzzle))


@html.register
def _solution(solution: Solution) -> str:
    if solution.text is None:
        return _paper(_board(solution.puzzle), _text(_paragraph(str(solution))))
    return _paper(_board(solution.puzzle, solution.text))


@html.register
def _rating(rating: Rating) -> str:
    return _paper(_board(rating.puzzle), _text(_table(_facts(rating))))


@html.register
def _record(record: Record) -> str:
    if record.predicted is None or record.low is None or record.high is None:
        return _paper(_board(record.puzzle))
    time = duration(record.predicted)
    between = interval(record.low, record.high)
    facts = [("time", time), ("interval", between), ("grade", record.grade)]
    return _paper(_board(record.puzzle), _text(_table(facts)))


@html.register
def _ratings(ratings: Ratings) -> str:
    rows = [_row(i, rating) for i, rating in enumerate(ratings[:MOST_ROWS])]
    left = len(ratings) - MOST_ROWS
    rest = _paragraph(f"and {left:,} more; to_frame() has all of them") if left > 0 else ""
    return _paper(f"<div>{_table(rows, _HEADINGS)}{rest}</div>")


@html.register
def _step(taken: WalkthroughStep) -> str:
    return _paper(_draw(*_picture(taken), _MARKED), _text(_paragraph(str(taken))))


@html.register
def _walk(walk: Walkthrough | Listing) -> str:
    say = page_words(walk.language)
    if isinstance(walk, Listing):
        drawn = _draw(position(walk.position), walk.puzzle.text, _MARKED)
    else:
        drawn = _board(walk.puzzle)
    headings = [say("page.technique"), say("page.rating"), say("page.steps")]
    techniques = [(name, rating, str(count)) for name, rating, count in walk.techniques()]
    text = _paragraph(walk.summary())
    if walk.steps:
        items = "".join(
            f'<li value="{taken.number}">{escape(taken.sentence())}</li>' for taken in walk.lines
        )
        folded = f"<summary>{escape(say('page.steps'))}</summary><ol>{items}</ol>"
        text += f"{_table(techniques, headings)}<details>{folded}</details>"
    return _paper(drawn, _text(text))


@html.register
def _times(times: AllTimes) -> str:
    picture, title = _picture(times)
    return _paper(_draw(picture, title, _UNIT * picture.width))


@html.register
def _order(order: PredictedOrder) -> str:
    return _paper(_draw(*_picture(order)))


_HEADINGS = ("", "givens", "time", "interval", "grade", "percentile", "reasons")


def _facts(rating: Rating) -> list[tuple[str, str]]:
    """Return the rows of the table of a rating, each a name and a text."""
    if rating.is_solved:
        return [("already solved", "no cell is left to fill")]
    facts = [
        ("time", duration(rating.predicted)),
        ("interval", interval(rating.low, rating.high)),
        ("grade", rating.grade or ""),
        ("percentile", f"{rating.percentile:.0f} %"),
        ("made of", rating.reasons),
        ("note", rating.flags),
    ]
    return [(name, text) for name, text in facts if text]


def _row(number: int, rating: Rating | Exception) -> tuple[str, ...]:
    """Return a rating, or the error in its place, as a row of a table."""
    if not isinstance(rating, Rating):
        return (str(number), "", "", "", "", "", str(rating))
    if rating.is_solved:
        return (str(number), str(rating.givens), "", "", "", "", "already solved")
    time = duration(rating.predicted)
    between = interval(rating.low, rating.high)
    share = f"{rating.percentile:.0f} %"
    return (
        *(str(number), str(rating.givens), time, between, rating.grade or "", share),
        rating.reasons + mark_of(rating.flag_codes),
    )


# -------------------------------------------------------------------- elements


def _board(puzzle: Puzzle | FrozenText, solution: str = "") -> str:
    """Return a drawing of a puzzle or its solution, with the numbers of rows and columns."""
    assert isinstance(puzzle, Puzzle)
    if puzzle.kind not in KINDS:
        return f"<pre>{escape(puzzle.grid())}</pre>"
    return _draw(_draw_numbered(puzzle, solution), puzzle.text)


def _draw_numbered(puzzle: Puzzle, solution: str = "") -> Picture:
    """Return a picture of a puzzle or its solution, with the numbers of rows and columns."""
    n_rows, n_columns = puzzle.shape
    shapes = (
        *move(board(puzzle, SCREEN, solution).shapes, MARGIN, MARGIN),
        *map(column_number, range(n_columns)),
        *map(row_number, range(n_rows)),
    )
    return Picture(n_columns + ROOM, n_rows + ROOM, shapes)


def _draw(picture: Picture, title: str, pixels: float = _BOARD) -> str:
    largest = _LARGEST_CELL * pixels / _BOARD
    return svg(picture, unit=min(max(pixels / picture.width, _LEAST_CELL), largest), title=title)


def _paper(*parts: str) -> str:
    return f'<div style="{_PAPER}">{"".join(parts)}</div>'


def _text(inner: str) -> str:
    return f'<div style="{_TEXT}">{inner}</div>'


def _paragraph(text: str) -> str:
    return f'<p style="margin:4px 0 8px">{escape(text)}</p>'


def _table(rows: Iterable[Sequence[str]], headings: Sequence[str] = ()) -> str:
    heads = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in headings)
    lines = [f"<tr>{heads}</tr>"] if headings else []
    lines += [f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows]
    return f'<table style="border-collapse:collapse;margin:0">{"".join(lines)}</table>'


def _cell(text: str) -> str:
    whole = ";white-space:nowrap" if len(text) < _WHOLE else ""
    return f'<td style="{_CELL}{whole}">{escape(text)}</td>'
