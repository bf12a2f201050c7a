"""Ratings over HTTP with FastAPI.

uvicorn fastapi_app:app --workers 2
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, StringConstraints

import nando
from nando.puzzles import PuzzleError, Sudoku, read_puzzle
from nando.rating import Bank
from nando.solvers import status

HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
bank = Bank(nando.load_model())


@asynccontextmanager
async def warmed_up(_: FastAPI) -> AsyncIterator[None]:
    """Load all compiled code before the first request: a hard puzzle takes most of it."""
    bank.rate([Sudoku(HARD)])
    yield


app = FastAPI(lifespan=warmed_up)


class Question(BaseModel):
    """What is asked: a 9x9 Sudoku as text or as a link of another program."""

    puzzle: Annotated[str, StringConstraints(max_length=2_000)]


# Not `async`: FastAPI then answers on a thread, and other requests do not wait.
@app.post("/rate")
def rate(question: Question) -> dict[str, Any]:
    """Return the rating of a puzzle, as the schema `rate` describes it."""
    try:
        puzzle = read_puzzle(question.puzzle, Sudoku)
    except PuzzleError as error:
        raise HTTPException(422, str(error)) from None
    if puzzle.shape != (9, 9):
        raise HTTPException(422, "only 9x9 Sudokus are rated here")
    found = status(puzzle)
    if not found.valid:
        raise HTTPException(422, str(found))
    return bank.rate([puzzle])[0].to_dict()
