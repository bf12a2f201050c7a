"""The routes of the organiser's page."""

from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from nando.serve.export import log_of
from nando.serve.routes.schemas import LoginRequest
from nando.serve.routes.site import (
    ORGANISER_COOKIE,
    IsOrganiser,
    Knock,
    OnSite,
    Organiser,
    language_of,
    try_secret,
    wrong_secret,
)
from nando.serve.secrets import csrf_token, is_password

router = APIRouter(prefix="/organiser", tags=["organiser"])

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""Content security policy of the report of the audit, a page without scripts."""

SHOWN = 500
"""Most players, and most games, that are listed; the report has all of them."""

_COLUMNS = ("game", "player", "moves", "p_value", "log10_odds", "verdict", "evidence", "notes")

_passwords = CapacityLimiter(2)
"""Limits the hashes of passwords that are computed at once, which take memory and time."""


@router.post("/login", dependencies=[Knock])
async def login(
    asked: LoginRequest, request: Request, response: Response, site: OnSite
) -> dict[str, Any]:
    """Begin a session with the password."""
    try_secret(site, request)
    is_right = await to_thread.run_sync(
        is_password, asked.password, site.password_hash, limiter=_passwords
    )
    if not is_right:
        raise wrong_secret(site, request, "password")
    token = await site.room.organise()
    site.set_cookie(response, ORGANISER_COOKIE, token)
    return {"csrf": csrf_token(token)}


@router.post("/logout")
async def logout(response: Response, site: OnSite, session: Organiser) -> dict[str, Any]:
    """End the session."""
    await site.room.leave(session)
    response.delete_cookie(ORGANISER_COOKIE, path="/")
    return {}


@router.get("/state", dependencies=[IsOrganiser])
async def state(request: Request, site: OnSite) -> dict[str, Any]:
    """Return the standings and the evidence so far; start another audit if there are new moves."""
    room, evidence = site.room, site.evidence
    evidence.refresh()
    report = evidence.report(language_of(request, site))
    games = report.get("games", [])
    return {
        "title": room.contest.title,
        "csrf": csrf_token(request.cookies[ORGANISER_COOKIE]),
        "now_ms": room.clock.now(),
        "start_ms": room.contest.start_ms,
        "end_ms": room.contest.end_ms,
        "n_moves": room.n_moves,
        "storage": {"problem": room.store.journal.problem, "since_ms": room.store.journal.since_ms},
        "standings": [line._asdict() for line in room.standings()],
        "audit": {
            "made_ms": evidence.made_ms,
            "n_moves": evidence.n_moves,
            "is_working": evidence.is_working,
            "problem": evidence.problem,
            "notes": report.get("notes", []),
            "players": report.get("players", [])[:SHOWN],
            "games": [{name: game[name] for name in _COLUMNS} for game in games[:SHOWN]],
        },
    }


@router.get("/report", dependencies=[IsOrganiser])
async def report(request: Request, site: OnSite) -> HTMLResponse:
    """Return the report of the last audit, with plots."""
    page = site.evidence.report(language_of(request, site)).get("page")
    if not page:
        raise HTTPException(404, "no audit yet: open the organiser's page and wait for games")
    return HTMLResponse(page, headers={"content-security-policy": REPORT_POLICY})


@router.get("/games.csv", dependencies=[IsOrganiser])
def games(site: OnSite) -> StreamingResponse:
    """Return the log of all games, as `nando audit`, `nando fit` and `nando order` read it."""
    return StreamingResponse(
        log_of(site.room.store),
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": 'attachment; filename="games.csv"'},
    )
