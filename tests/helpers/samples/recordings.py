"""Games in the files of other programs, made up for the tests."""

import json

from helpers.samples.sudokus import LINE
from nando.puzzles import Sudoku, format_puzzle
from nando.puzzles.formats.programs.lz import pack
from nando.solvers import unique_solution

PUZZLE = Sudoku(LINE)


def replay_file(actions: str, puzzle: Sudoku = PUZZLE, **more: object) -> str:
    """Return the text of a replay with these actions."""
    grid = pack(format_puzzle(puzzle, "f-puzzles-json"))
    n_rows, n_columns = puzzle.shape
    replay = {"puzzleId": "x", "type": "clzw", "rows": n_rows, "cols": n_columns}
    replay |= {"version": "0.612.0", "data": pack(actions)} | more
    return json.dumps({"format": "replay_v1.0", "puzzle": f"fpuz{grid}", "replay": replay})


def solving_actions(puzzle: Sudoku = PUZZLE, ticks: int = 40) -> str:
    """Return the actions of a player who fills all blanks row by row."""
    solution = unique_solution(puzzle)
    width = len(f"{len(solution) - 1:x}")
    return "".join(
        f"I{cell:0{width}x}_{ticks - 2}B{solution[cell]}_2J_0"
        for cell, given in enumerate(puzzle.givens)
        if not given
    )


def steps_file(puzzle: Sudoku = PUZZLE, seconds: int = 2) -> str:
    """Return a game of lisudoku as its server sends it, all blanks filled row by row."""
    solution = unique_solution(puzzle).tolist()
    size = puzzle.shape[0]
    givens = puzzle.givens.tolist()
    steps = [
        {"type": "digit", "cells": [{"row": cell // size, "col": cell % size}]}
        | {"value": solution[cell], "time": seconds * (place + 1)}
        for place, cell in enumerate(cell for cell, given in enumerate(givens) if not given)
    ]
    given = [
        {"position": {"row": cell // size, "col": cell % size}, "value": value}
        for cell, value in enumerate(givens)
        if value
    ]
    constraints = {"grid_size": size, "fixed_numbers": given}
    return json.dumps(
        {"user_solution": {"id": 1, "steps": steps}, "puzzle_constraints": constraints}
    )
