"""The routes of the organiser's page."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from pydantic import Field

from nando.serve.access import RequestModel, csrf_token, is_password
from nando.serve.evidence import csv_text, log_of
from nando.serve.names import RefusedError
from nando.serve.site import (
    ORGANISER_COOKIE,
    IsOrganiser,
    Knock,
    OnSite,
    Organiser,
    Site,
    language_of,
    try_secret,
    wrong_secret,
)
from nando.serve.standings import Rulings, Standing
from nando.writing import no_formula

router = APIRouter(prefix="/organiser", tags=["organiser"])

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""Content security policy of the report of the audit, a page without scripts."""

SHOWN = 500
"""Most players, and most games, that are listed; the report has all of them."""

_COLUMNS = ("game", "player", "moves", "p_value", "log10_odds", "verdict", "evidence", "notes")

_passwords = CapacityLimiter(2)
"""Limits the hashes of passwords that are computed at once, which take memory and time."""


class LoginRequest(RequestModel):
    """The organiser."""

    password: str = Field(max_length=200)


class PlayerRuling(RequestModel):
    """What the organiser does with a player; `name` is the new one."""

    do: Literal["rename", "disqualify", "reinstate", "remove"]
    name: str = Field(default="", max_length=200)


class ContestRuling(RequestModel):
    """What the organiser does with the contest: add `minutes`, or announce a `text`."""

    do: Literal["extend", "pause", "resume", "announce"]
    minutes: int = Field(default=10, ge=1, le=24 * 60)
    text: str = Field(default="", max_length=300)


@router.post("/login", dependencies=[Knock])
async def login(
    asked: LoginRequest, request: Request, response: Response, site: OnSite
) -> dict[str, Any]:
    """Begin a session with the password."""
    try_secret(site, request)
    is_right = await to_thread.run_sync(
        is_password, asked.password, site.facts["password"], limiter=_passwords
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
    site.delete_cookie(response, ORGANISER_COOKIE)
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
        "end_ms": room.end_ms,
        "is_paused": room.rulings.is_paused,
        "announcement": room.rulings.announcement,
        "n_moves": room.n_moves,
        "storage": {"problem": room.store.journal.problem, "since_ms": room.store.journal.since_ms},
        "standings": _standings(site),
        "audit": {
            "made_ms": evidence.made_ms,
            "n_moves": evidence.n_moves,
            "is_working": evidence.is_working,
            "problem": evidence.problem,
            "has_times": bool(evidence.found.get("times")),
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


@router.get("/puzzles.csv", dependencies=[IsOrganiser])
async def puzzles_csv(site: OnSite) -> StreamingResponse:
    """Return how long each puzzle took, beside its prediction, and where people paused."""
    rows = _times_of(site)["rows"]
    return _table("puzzles", csv_text(rows, tuple(rows[0]) if rows else ()))


@router.get("/puzzles.svg", dependencies=[IsOrganiser])
async def puzzles_svg(site: OnSite) -> Response:
    """Return the same as a picture."""
    return Response(_times_of(site)["picture"], media_type="image/svg+xml")


def _table(name: str, pieces: Iterable[str]) -> StreamingResponse:
    """Return a table that a browser saves to a file."""
    named = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return StreamingResponse(pieces, media_type="text/csv; charset=utf-8", headers=named)


def _times_of(site: Site) -> dict[str, Any]:
    times: dict[str, Any] = site.evidence.found.get("times", {})
    if not times:
        raise HTTPException(404, "no audit yet: open the organiser's page and wait for games")
    return times


@router.get("/games.csv", dependencies=[IsOrganiser])
def games(site: OnSite) -> StreamingResponse:
    """Return the log of all games, as `nando audit`, `nando fit` and `nando order` read it."""
    return _table("games", log_of(site.room.store))


def _standings(site: Site) -> list[dict[str, Any]]:
    """Return the standings with the number of each player."""
    players = {seat.name: seat.player for seat in site.room}
    return [{**line._asdict(), "player": players[line.name]} for line in site.room.standings()]


def _with_times(site: Site) -> list[dict[str, Any]]:
    """Return the standings with the milliseconds from the start to each player's solutions."""
    room = site.room
    start, n_puzzles = room.contest.start_ms, len(room.puzzles)
    solves = {seat.name: room.solves(seat) for seat in room}

    def times(name: str) -> list[int | None]:
        found = (solves[name].get(puzzle) for puzzle in range(n_puzzles))
        return [None if one is None else one.received_ms - start for one in found]

    return [{**line._asdict(), "times_ms": times(line.name)} for line in room.standings()]


@router.get("/standings.json", dependencies=[IsOrganiser])
async def standings_json(site: OnSite) -> list[dict[str, Any]]:
    """Return the standings, with the times of all solved puzzles."""
    return _with_times(site)


@router.get("/standings.csv", dependencies=[IsOrganiser])
async def standings_csv(site: OnSite) -> StreamingResponse:
    """Return the standings, with a column for the time of each puzzle."""
    rows = []
    for line in _with_times(site):
        times = line.pop("times_ms")
        rows.append(line | {f"puzzle_{n}_ms": time for n, time in enumerate(times, 1)})
        rows[-1]["name"] = no_formula(line["name"])
    names = [f"puzzle_{n}_ms" for n in range(1, len(site.room.puzzles) + 1)]
    return _table("standings", csv_text(rows, (*Standing._fields, *names)))


@router.post("/contest", dependencies=[IsOrganiser])
async def rule(asked: ContestRuling, site: OnSite) -> dict[str, Any]:
    """Extend, pause or resume the contest, or announce a sentence to all players."""
    room = site.room

    def change(rulings: Rulings) -> Rulings:
        now = room.clock.now()
        match asked.do:
            case "extend":  # a contest that is over continues for these minutes
                return rulings.extend(max(0, now - room.end_ms) + 60_000 * asked.minutes)
            case "pause":
                if not room.contest.start_ms <= now < room.end_ms:
                    raise RefusedError("not_running")
                return rulings.pause(now)
            case "resume":
                return rulings.resume(now)
        return replace(rulings, announcement=" ".join(asked.text.split()))

    await site.desk.rule(change)
    return {}


@router.post("/players/{player}", dependencies=[IsOrganiser])
async def rule_on_player(player: int, asked: PlayerRuling, site: OnSite) -> dict[str, Any]:
    """Rename, disqualify, reinstate or remove a player."""
    seat = site.room.find(player)
    if seat is None:
        raise RefusedError("removed")
    match asked.do:
        case "rename":
            await site.desk.rename(seat, asked.name)
        case "remove":
            await site.desk.remove(seat)
        case ruling:
            is_out = ruling == "disqualify"
            await site.desk.rule(lambda rulings: rulings.disqualify(player, is_out=is_out))
    return {}
