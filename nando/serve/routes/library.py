"""The library over HTTP: rate, explain, generate and audit without Python."""

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import StreamingResponse

from nando.names import Language
from nando.serve import jobs
from nando.serve.export import log_of
from nando.serve.routes.schemas import (
    ExplainRequest,
    GamesRequest,
    GenerateRequest,
    Kind,
    PuzzleText,
    RateRequest,
)
from nando.serve.routes.site import Library, OnSite, Site
from nando.serve.workers import BrokenError, BusyError, TooLongError

router = APIRouter(prefix="/api", tags=["library"], dependencies=[Library])

SECONDS = 60.0
"""Time limit of a job."""

AUDIT_SECONDS = 300.0
"""Time limit of an audit."""


async def _done(
    site: Site, job: Callable[..., dict[str, Any]], *args: Any, seconds: float | None = None
) -> dict[str, Any]:
    """Return the result of a job; HTTPException if the job fails."""
    seconds = seconds or SECONDS
    try:
        answer = await site.workers.run(job, *args, seconds=seconds)
    except BusyError:
        raise HTTPException(503, "all workers are busy: try again", {"Retry-After": "5"}) from None
    except TooLongError:
        raise HTTPException(
            504, f"this took more than {seconds:g} s and was stopped: ask for less"
        ) from None
    except BrokenError:
        raise HTTPException(500, "the worker died, perhaps because it ran out of memory") from None
    if jobs.BAD in answer:
        raise HTTPException(422, answer[jobs.BAD])
    return answer


@router.get("/rate")
async def rate_one(
    site: OnSite, puzzle: Annotated[PuzzleText, Query()], kind: Annotated[Kind, Query()] = None
) -> dict[str, Any]:
    """Return the rating of one puzzle."""
    return await _done(site, jobs.rate, [puzzle], kind)


@router.post("/rate")
async def rate(asked: RateRequest, site: OnSite) -> dict[str, Any]:
    """Return the ratings of puzzles of one kind."""
    return await _done(site, jobs.rate, asked.puzzles, asked.kind)


@router.get("/explain")
async def explain_one(
    site: OnSite,
    puzzle: Annotated[PuzzleText, Query()],
    kind: Annotated[Kind, Query()] = None,
    language: Annotated[Language, Query()] = "en",
) -> dict[str, Any]:
    """Return the steps of a puzzle, with their reasons."""
    return await _done(site, jobs.explain, puzzle, kind, language)


@router.post("/explain")
async def explain(asked: ExplainRequest, site: OnSite) -> dict[str, Any]:
    """Return the steps of a puzzle, with their reasons."""
    return await _done(site, jobs.explain, asked.puzzle, asked.kind, asked.language)


@router.get("/generate")
async def generate_some(site: OnSite, asked: Annotated[GenerateRequest, Query()]) -> dict[str, Any]:
    """Make new puzzles; the same query makes the same puzzles."""
    return await _done(site, jobs.generate, asked.model_dump())


@router.post("/generate")
async def generate(asked: GenerateRequest, site: OnSite) -> dict[str, Any]:
    """Make new puzzles; the same request makes the same puzzles."""
    return await _done(site, jobs.generate, asked.model_dump())


@router.get("/games")
def games(site: OnSite) -> StreamingResponse:
    """Return the log of the contest, as CSV."""
    return StreamingResponse(log_of(site.room.store), media_type="text/csv; charset=utf-8")


@router.post("/games")
async def audit(asked: GamesRequest, site: OnSite) -> dict[str, Any]:
    """Return the audit of games, given as rows with game, player, puzzle, t_ms, cell and value."""
    log = json.dumps(asked.games)
    answer = await _done(site, jobs.audit, log, ".json", asked.level, seconds=AUDIT_SECONDS)
    return {name: value for name, value in answer.items() if name != "reports"}
