"""The library over HTTP: rate, explain, generate and audit without Python."""

import dataclasses
import json
import re
from collections.abc import Callable
from typing import Annotated, Any, Optional, Union, get_args, get_type_hints

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import StreamingResponse
from pydantic import BeforeValidator, ConfigDict, Field, create_model

from nando.generators.wishes import Wishes
from nando.names import Language
from nando.records import name_in_files
from nando.serve import jobs
from nando.serve.access import RequestModel
from nando.serve.evidence import log_of
from nando.serve.jobs import BrokenError, BusyError, TooLongError
from nando.serve.site import Library, OnSite, Site

router = APIRouter(prefix="/api", tags=["library"], dependencies=[Library])

SECONDS = 60.0
"""Time limit of a job."""

AUDIT_SECONDS = 300.0
"""Time limit of an audit."""


PuzzleText = Annotated[str, Field(max_length=20_000)]
Kind = Annotated[str | None, Field(max_length=40)]


class RateRequest(RequestModel):
    """Puzzles to rate, all of one kind."""

    puzzles: list[PuzzleText] = Field(min_length=1, max_length=1_000)
    kind: Kind = None


class ExplainRequest(RequestModel):
    """A puzzle to explain."""

    puzzle: PuzzleText
    kind: Kind = None
    language: Language = "en"


def _field_of(wish: "dataclasses.Field[Any]") -> tuple[Any, Any]:
    """Return the type and the words of a wish in a request; the record checks the rest."""
    hint = get_type_hints(Wishes)[wish.name]
    options = get_args(hint) or (hint,)
    kinds: list[Any] = [kind for kind in options if kind in (bool, int, float)]
    if not kinds or str in options:
        kinds.append(Annotated[str, Field(max_length=20_000)])
    about = Field(wish.default, description=wish.metadata["about"])
    union: Any = Optional[Union[tuple(kinds)]]  # noqa: UP007, UP045
    return Annotated[union, BeforeValidator(_number_in_query)] if int in kinds else union, about


def _number_in_query(value: Any) -> Any:
    return int(value) if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value) else value


_FIELDS: Any = {name_in_files(wish): _field_of(wish) for wish in dataclasses.fields(Wishes)}
_Wishes: Any = create_model("_Wishes", __config__=ConfigDict(extra="forbid"), **_FIELDS)


class GenerateRequest(_Wishes):  # type: ignore[misc]
    """Puzzles to make; a query has all values as text.

    `rule` lists names of rules, separated by commas. Either `rule` or `size` makes variants.
    """

    count: int = Field(default=1, ge=1, le=100)
    seed: int = Field(default=0, ge=0, le=2**63)


class GamesRequest(RequestModel):
    """A log of games to audit, with a row for each move."""

    games: list[dict[str, Any]] = Field(min_length=1, max_length=200_000)
    level: float = Field(default=0.01, gt=0, lt=1)


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
