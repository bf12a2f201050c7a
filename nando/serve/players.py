"""The routes of the players' page."""

import json
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from nando.serve.access import RequestModel, bare, csrf_token, is_same
from nando.serve.board import Move
from nando.serve.names import RefusedError
from nando.serve.room import Joined
from nando.serve.site import (
    PLAYER_COOKIE,
    Knock,
    OnSite,
    Player,
    PlayerSession,
    Site,
    address,
    limited,
    try_secret,
    wrong_secret,
)

router = APIRouter(prefix="/contest", tags=["contest"])

MOST_TOGETHER = 500
"""Most events in a request."""

MOST_LINES = 500
"""Most lines of the standings that are sent."""


class JoinRequest(RequestModel):
    """A new player."""

    name: str = Field(max_length=200)
    code: str = Field(default="", max_length=200)


class ReturnRequest(RequestModel):
    """A player who continues on another device."""

    name: str = Field(max_length=200)
    key: str = Field(max_length=200)


class MovesRequest(RequestModel):
    """Events of a player, in order."""

    device: str = Field(max_length=40, pattern=r"^[\w-]+$")
    moves: list[Move] = Field(max_length=MOST_TOGETHER)


@router.get("", dependencies=[Knock])
async def contest(request: Request, site: OnSite, session: PlayerSession) -> dict[str, Any]:
    """Return the contest, the server's clock, and the player of the session."""
    room = site.room
    body: dict[str, Any] = {
        "id": site.facts["id"],
        "title": room.contest.title,
        "has_code": bool(room.contest.code),
        "start_ms": room.contest.start_ms,
        "now_ms": room.clock.now(),
        **_current_rulings(site),
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
        return _answer_joined(site, response, await site.room.join(asked.name))
    except RefusedError:
        site.joins.give_back(address(request))
        raise


@router.post("/return", dependencies=[Knock])
async def come_back(
    asked: ReturnRequest, request: Request, response: Response, site: OnSite
) -> dict[str, Any]:
    """Continue on another device with the key that was shown when the player joined."""
    try_secret(site, request)
    joined = await site.room.come_back(asked.name, asked.key)
    if joined is None:
        raise wrong_secret(site, request, "key")
    return _answer_joined(site, response, joined)


def _answer_joined(site: Site, response: Response, joined: Joined) -> dict[str, Any]:
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
    await room.hand_out(seat)
    body: bytes | None = getattr(request.app.state, "handed_out", None)
    if body is None:
        puzzles = {"puzzles": [puzzle.hand_out() for puzzle in room.puzzles]}
        body = request.app.state.handed_out = json.dumps(puzzles).encode()
    return Response(body, media_type="application/json")


@router.get("/moves")
def moves(site: OnSite, seat: Player) -> dict[str, Any]:
    """Return the player's events so far, from which the page continues."""
    kept = [
        {"puzzle": row.puzzle, "attempt": row.attempt, "event": row.event}
        for row in site.room.store.moves(seat.player)
    ]
    return {"moves": kept}


@router.post("/moves")
async def take(asked: MovesRequest, site: OnSite, seat: Player) -> dict[str, Any]:
    """Store events of the player; events that are stored already are acknowledged again."""
    limited(site.entries, str(seat.player), len(asked.moves))
    seq, solved = await site.room.take(seat, asked.device, asked.moves)
    return {"seq": seq, "solved": solved, "now_ms": site.room.clock.now()}


def _current_rulings(site: Site) -> dict[str, Any]:
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
    told = {"standings": lines, "name": seat.name, "own": own, **_current_rulings(site)}
    body = json.dumps(told).encode()
    tag = f'"{sha256(body).hexdigest()[:20]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(body, media_type="application/json", headers={"etag": tag})
