"""Readers of published data sets."""

from fuzz.target import LINE, Target, choice, refusal, text_of

from nando.datasets.janko import read_nurikabe
from nando.datasets.levels import read_line
from nando.datasets.times import read_game, read_row
from nando.puzzles.files import parse_json


def published(data: bytes) -> None:
    """Read lines of the published logs."""
    which, rest = choice(data, ("nurikabe", "sudoku"))
    with refusal():
        if which == "sudoku":
            read_game(text_of(rest))
        else:
            _, _, puzzle, moves = read_nurikabe(text_of(rest))
            assert all(0 <= move.cell < puzzle.n_cells for move in moves)


def published_times(data: bytes) -> None:
    """Read rows of the portal and lines of publishers."""
    which, rest = choice(data, ("portal", "levels"))
    with refusal():
        if which == "portal":
            puzzle, best, mean = read_row(parse_json(text_of(rest)))
            assert min(best, mean) >= 0
        else:
            _, puzzle = read_line(text_of(rest), "%m-%d-%y")
        assert puzzle.order == 3


def _log_examples() -> list[str]:
    return [
        '\0{"file":"a","data":{"problem":[[2,0],[0,1]],"moves":"ba,1;ab,0;2600,0","info":"L1_i1"}}',
        f'\1{LINE}\t["100,-1,2,4","250,0,1,5","300,-1,2"]\t1,2',
    ]


def _times_examples() -> list[str]:
    return [
        f'\0{{"puzzle":"{LINE}","id":0,"best":"00:04:01 ","time":"00:10:32"}}',
        f"\00112-17-24:{LINE}",
    ]


TARGETS = (Target(published, _log_examples), Target(published_times, _times_examples))
