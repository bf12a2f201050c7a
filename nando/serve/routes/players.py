"""The routes of the players' page."""

import json
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response

from nando.serve.board import BadMoveError
from nando.serve.moves import (
    ElsewhereError,
    GapError,
    Move,
    NotStartedError,
    PausedError,
    RemovedError,
)
from nando.serve.names import JoinError
from nando.serve.room import Joined
from nando.serve.routes.schemas import JoinRequest, MovesRequest, ReturnRequest
from nando.serve.routes.site import (
    PLAYER_COOKIE,
    Knock,
    OnSite,
    Player,
    PlayerSession,
    RefusedError,
    Site,
    address,
    limited,
    refused_name,
    try_secret,
    wrong_secret,
)
from nando.serve.secrets import bare, csrf_token, is_same

router = APIRouter(prefix="/contest", tags=["contest"])

MOST_LINES = 500
"""Most lines of the standings that are sent."""


@router.get("", dependencies=[Knock])
async def contest(request: Request, site: OnSite, session: PlayerSession) -> dict[str, Any]:
    """Return the contest, the server's clock, and the player of the session."""
    room = site.room
    body: dict[str, Any] = {
        "id": site.contest_id,
        "title": room.contest.title,
        "has_code": bool(room.contest.code),
        "start_ms": room.contest.start_ms,
        "now_ms": room.clock.now(),
        **_ruled(site),
        "player": None,
    }
    seat = room.seat(session)
    if seat is not None:
        body["player"] = {
            "id": seat.player,
            "name": seat.name,
            "csrf": csrf_token(request.cookies[PLAYER_COOKIE]),
            "seq": seat.seq,
            "device": seat.device,
            "solved": sorted(seat.solved),
        }
    return body


@router.post("/join", dependencies=[Knock])
async def join(
    asked: JoinRequest, request: Request, response: Response, site: OnSite
) -> dict[str, Any]:
    """Join with the code of the contest and a new name."""
    try_secret(site, request)
    if not is_same(bare(asked.code), bare(site.room.contest.code)):
        raise wrong_secret(site, request, "code")
    limited(site.joins, address(request), reason="joins")
    try:
        return _joined(site, response, await site.room.join(asked.name))
    except JoinError as error:
        site.joins.give_back(address(request))
        raise refused_name(error) from None


@router.post("/return", dependencies=[Knock])
async def come_back(
    asked: ReturnRequest, request: Request, response: Response, site: OnSite
) -> dict[str, Any]:
    """Continue on another device with the key that was shown when the player joined."""
    try_secret(site, request)
    joined = await site.room.come_back(asked.name, asked.key)
    if joined is None:
        raise wrong_secret(site, request, "key")
    return _joined(site, response, joined)


def _joined(site: Site, response: Response, joined: Joined) -> dict[str, Any]:
    site.set_cookie(response, PLAYER_COOKIE, joined.token)
    return {"name": joined.seat.name, "key": joined.key, "csrf": csrf_token(joined.token)}


@router.post("/leave")
async def leave(
    response: Response, site: OnSite, session: PlayerSession, seat: Player
) -> dict[str, Any]:
    """End the session; the player's games are kept."""
    assert session is not None
    await site.room.leave(session)
    site.delete_cookie(response, PLAYER_COOKIE)
    return {"name": seat.name}


@router.get("/puzzles")
async def puzzles(request: Request, site: OnSite, seat: Player) -> Response:
    """Return the puzzles, but not before the contest starts."""
    room = site.room
    try:
        await room.hand_out(seat)
    except NotStartedError:
        raise HTTPException(425, f"the contest starts in {_seconds_left(site)} s") from None
    except PausedError:
        raise RefusedError(425, "paused") from None
    body: bytes | None = getattr(request.app.state, "handed_out", None)
    if body is None:
        puzzles = {"puzzles": [puzzle.handed_out() for puzzle in room.puzzles]}
        body = request.app.state.handed_out = json.dumps(puzzles).encode()
    return Response(body, media_type="application/json")


@router.get("/moves")
def moves(site: OnSite, seat: Player) -> dict[str, Any]:
    """Return the player's events so far, from which the page continues."""
    kept = [
        {"puzzle": row.puzzle, "attempt": row.attempt, "event": json.loads(row.event)}
        for row in site.room.store.moves(seat.player)
    ]
    return {"moves": kept}


@router.post("/moves")
async def take(asked: MovesRequest, site: OnSite, seat: Player) -> dict[str, Any]:
    """Store events of the player; events that are stored already are acknowledged again."""
    limited(site.entries, str(seat.player), len(asked.moves))
    listed = [
        Move(
            *(move.seq, move.puzzle, move.attempt, move.age_ms),
            move.event.model_dump(exclude_none=True),
            move.changes,
        )
        for move in asked.moves
    ]
    try:
        seq, solved = await site.room.take(seat, asked.device, listed)
    except NotStartedError:
        raise HTTPException(425, f"the contest starts in {_seconds_left(site)} s") from None
    except PausedError:
        raise RefusedError(425, "paused") from None
    except RemovedError:
        raise HTTPException(401, "the organiser has removed this player") from None
    except ElsewhereError:
        raise RefusedError(409, "elsewhere") from None
    except GapError as error:
        raise HTTPException(409, {"seq": error.seq}) from None
    except BadMoveError as error:
        raise HTTPException(422, str(error)) from None
    return {"seq": seq, "solved": solved, "now_ms": site.room.clock.now()}


def _ruled(site: Site) -> dict[str, Any]:
    """Return what the organiser can change while the contest runs."""
    room, rulings = site.room, site.room.rulings
    # During a pause the end moves with the clock.
    end = {} if rulings.is_paused else {"end_ms": room.end_ms}
    return end | {"is_paused": rulings.is_paused, "announcement": rulings.announcement}


@router.get("/standings")
async def standings(request: Request, site: OnSite, seat: Player) -> Response:
    """Return the standings, the player's own times, and the organiser's rulings; 304 as before."""
    room = site.room
    own = {
        str(puzzle): solve.received_ms - room.contest.start_ms
        for puzzle, solve in room.solves(seat).items()
    }
    lines = [line._asdict() for line in room.standings()[:MOST_LINES]]
    told = {"standings": lines, "name": seat.name, "own": own, **_ruled(site)}
    body = json.dumps(told).encode()
    tag = f'"{sha256(body).hexdigest()[:20]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(body, media_type="application/json", headers={"etag": tag})


def _seconds_left(site: Site) -> int:
    return -(-(site.room.contest.start_ms - site.room.clock.now()) // 1000)
