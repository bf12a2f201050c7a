"""Fill orders as grids of ranks, and audits as one HTML page."""

import datetime
import html
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from nando.games.audit import GameAudit, combined_p_value
from nando.games.evidence import delays_of
from nando.games.step_times import LEAST_SECONDS
from nando.puzzles import Puzzle, Sudoku

_WIDTH, _HEIGHT, _MARGIN = 360, 220, 36
_DETAILED = 30
"""Games of a report that are drawn, those with the smallest p-values."""

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .7rem; text-align: left; }
th { border-bottom: 1px solid; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
.unlike { color: #a11; } figure { display: inline-block; margin: 0 1rem 1rem 0; }
code { overflow-wrap: anywhere; } svg text { font: 11px system-ui, sans-serif; }
"""


def order_grid(puzzle: Puzzle, order: NDArray[np.float64]) -> str:
    """The ranks, 1 for the first cell, as a grid of lines; givens as dots.

    Parameters
    ----------
    puzzle : Puzzle
    order : ndarray of float64, shape (n_cells,)
        Mean ranks, as of :meth:`FillOrderModel.expected_order`.
    """
    ranks = ranks_of(puzzle, order)
    width = len(str(int(ranks.max(initial=0)))) + 1
    n_rows, n_columns = puzzle.shape
    if not isinstance(puzzle, Sudoku):
        cells = [str(rank or ".").rjust(width) for rank in ranks]
        starts = range(0, n_rows * n_columns, n_columns)
        return "\n".join("".join(cells[start : start + n_columns]) for start in starts)
    n, size = puzzle.order, puzzle.size
    lines = []
    for row in range(size):
        if row and row % n == 0:
            lines.append("+".join(["-" * (width * n + 1)] * n)[:-1])
        cells = [str(rank or ".").rjust(width) for rank in ranks[row * size : (row + 1) * size]]
        lines.append(" |".join("".join(cells[i : i + n]) for i in range(0, size, n)))
    return "\n".join(lines)


def ranks_of(puzzle: Puzzle, order: NDArray[np.float64]) -> NDArray[np.int64]:
    """Ranks 1, 2, ... of the blanks by their mean ranks; 0 for givens."""
    blanks = np.flatnonzero(puzzle.givens == 0)
    ranks = np.zeros(len(order), np.int64)
    ranks[blanks[np.argsort(order[blanks], kind="stable")]] = np.arange(1, len(blanks) + 1)
    return ranks


def audit_html(
    audits: Sequence[GameAudit],
    *,
    level: float,
    model_id: str,
    problems: Sequence[str] = (),
    sources: Sequence[str] = (),
) -> str:
    """A report on audited games as one page without outside parts.

    Parameters
    ----------
    audits : sequence of GameAudit
    level : float
        Share of honest games that are called unlike a person.
    model_id : str
    problems : sequence of str
        What of the logs could not be read.
    sources : sequence of str
        Names of the logs.
    """
    ordered = sorted(audits, key=lambda audit: audit.p_value)
    unlike = sum(audit.p_value <= level for audit in audits)
    head = (
        f"<h1>Audit of {len(audits):,} games</h1>"
        f"<p>{html.escape(', '.join(sources))}; model {html.escape(model_id)}; "
        f"{datetime.date.today().isoformat()}.</p>"
        f"<p><strong>{unlike:,} unlike a person at the level {level:g}.</strong> Of as many games "
        f"all played by people like those the model was calibrated on, "
        f"{level * len(audits):.1f} would be called so by chance. A small p-value is a reason to "
        "look, or to have the player solve again under observation; it proves nothing.</p>"
    )
    parts = [head, *_players(audits), _table(ordered, level)]
    if problems:
        listed = "".join(f"<li>{html.escape(problem)}</li>" for problem in problems)
        parts.append(f"<h2>What could not be read</h2><ul>{listed}</ul>")
    parts.append("<h2>Order and times</h2>")
    parts += [_details(audit) for audit in ordered[:_DETAILED] if audit.n_moves]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Audit</title>'
        f"<style>{_STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def players_of(audits: Sequence[GameAudit]) -> list[tuple[str, int, float]]:
    """Players with several games: name, games, and their combined p-value, smallest first."""
    games: dict[str, list[float]] = {}
    for audit in audits:
        if audit.game.player and audit.n_moves:
            games.setdefault(audit.game.player, []).append(audit.p_value)
    found = [
        (player, len(values), combined_p_value(values))
        for player, values in games.items()
        if len(values) > 1
    ]
    return sorted(found, key=lambda item: item[2])


def _players(audits: Sequence[GameAudit]) -> Iterator[str]:
    found = players_of(audits)
    if found:
        rows = "".join(
            f'<tr><td>{html.escape(player)}</td><td class="n">{count}</td>'
            f'<td class="n">{p_value:.3g}</td></tr>'
            for player, count, p_value in found
        )
        yield (
            "<h2>Players</h2><table><tr><th>player</th><th>games</th>"
            f"<th>combined p-value</th></tr>{rows}</table>"
        )


def _table(audits: Sequence[GameAudit], level: float) -> str:
    rows = []
    for audit in audits:
        row = audit.row()
        mark = ' class="unlike"' if audit.p_value <= level else ""
        rows.append(
            f"<tr{mark}><td>{html.escape(row['game'])}</td><td>{html.escape(row['player'])}</td>"
            f'<td class="n">{audit.p_value:.3g}</td><td class="n">{audit.order_score:.1f}</td>'
            f'<td class="n">{row["timing_score"]:.1f}</td><td>{audit.verdict}</td>'
            f"<td>{html.escape(row['notes'])}</td></tr>"
        )
    names = ("game", "player", "p-value", "order score", "timing score", "verdict", "notes")
    heads = "".join(f"<th>{name}</th>" for name in names)
    return f"<h2>Games</h2><table><tr>{heads}</tr>{''.join(rows)}</table>"


def _details(audit: GameAudit) -> str:
    game, n = audit.game, audit.n_moves
    moves = ", ".join(f"{cell} ({weight:+.1f})" for cell, weight in audit.moves) or "none"
    scores = ", ".join(f"{name} {score:.1f}" for name, score in audit.scores.items())
    expected = audit.reading.expected[game.cells[:n]]
    actual = np.arange(1.0, n + 1)
    seconds = np.maximum(delays_of(game)[:n], LEAST_SECONDS)
    predicted = np.exp(audit.reading.timing[:n])
    return (
        f"<h3>Game {html.escape(f'{game.name} {game.player}'.strip())}: {audit.verdict}</h3>"
        f"<p>p = {audit.p_value:.3g} from {n} fills of <code>{game.puzzle.text}</code><br>"
        f"Scores: {scores}.<br>Fills that weigh most against a person: {moves}.</p>"
        f"<figure>{_plot(expected, actual, None, 'rank expected', 'rank')}</figure>"
        f"<figure>{_plot(actual, np.log10(seconds), np.log10(predicted), 'fill', 'seconds')}"
        "</figure>"
    )


def _plot(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    line: NDArray[np.float64] | None,
    x_name: str,
    y_name: str,
) -> str:
    """Dots of y against x, and a line over the same x, as SVG; `line` makes y a logarithm."""
    values = y if line is None else np.concatenate([y, line])
    low, high = float(values.min()), float(values.max())
    left, right = 0.0, float(x.max())

    def place(a: float, b: float) -> tuple[float, float]:
        across = _MARGIN + (a - left) / max(right - left, 1e-9) * (_WIDTH - _MARGIN - 8)
        down = _HEIGHT - _MARGIN - (b - low) / max(high - low, 1e-9) * (_HEIGHT - _MARGIN - 8)
        return across, down

    dots = "".join(
        '<circle cx="{:.1f}" cy="{:.1f}" r="2.5"/>'.format(*place(a, b))
        for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    drawn = ""
    if line is not None:
        points = " ".join(
            "{:.1f},{:.1f}".format(*place(a, b))
            for a, b in zip(x.tolist(), line.tolist(), strict=True)
        )
        drawn = f'<polyline points="{points}" fill="none" stroke="#c60" stroke-width="1.5"/>'
    bottom, top = (f"{low:.0f}", f"{high:.0f}") if line is None else _seconds(low, high)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}">'
        f'<path d="M{_MARGIN} 8V{_HEIGHT - _MARGIN}H{_WIDTH - 8}" fill="none" stroke="#666"/>'
        f'{drawn}<g fill="#246">{dots}</g>'
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}">{x_name}</text>'
        f'<text x="{_MARGIN + 4}" y="14">{y_name}</text>'
        f'<text x="2" y="{_HEIGHT - _MARGIN}">{bottom}</text><text x="2" y="18">{top}</text></svg>'
    )


def _seconds(low: float, high: float) -> tuple[str, str]:
    return f"{10**low:.3g}", f"{10**high:.3g}"
