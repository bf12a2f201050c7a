"""The pages and their files, all of which are known when the server starts.

A request can only name one of these; no part of its path reaches the file system.
"""

import json
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

from nando.drawing.pages import page
from nando.languages import texts
from nando.serve.names import say, words
from nando.serve.site import Knock, OnSite, Site, is_open, language_of
from nando.solvers.logic.language import LANGUAGES, PAGE_LANGUAGES

router = APIRouter(include_in_schema=False)

_TYPES = {".mjs": "text/javascript", ".css": "text/css", ".json": "application/json"}


class Static(NamedTuple):
    """A file of the pages."""

    body: bytes
    media_type: str
    tag: str


@cache
def statics() -> dict[str, Static]:
    """Return the files of the pages, by the path after ``/static/``."""
    bodies = {"words.json": json.dumps(words(), ensure_ascii=False).encode()}
    for package, folder in (("nando.play", "play/"), ("nando.serve", "")):
        for file in (files(package) / "web").iterdir():
            if file.name.endswith((".mjs", ".css")):
                bodies[folder + file.name] = file.read_bytes()
    return {
        name: Static(body, _TYPES[name[name.rindex(".") :]], f'"{sha256(body).hexdigest()[:20]}"')
        for name, body in bodies.items()
    }


def _page(template: str, request: Request, site: Site, **values: Any) -> Response:
    language = language_of(request, site)
    parts = page(
        "nando.serve",
        f"web/{template}",
        "nando.play",
        title=site.room.contest.title,
        language=language,
        say=partial(say, language=language),
        **values,
    )
    headers = {"vary": "accept-language"}
    return Response("".join(parts), media_type="text/html; charset=utf-8", headers=headers)


@router.get("/", dependencies=[Knock])
async def contest(request: Request, site: OnSite) -> Response:
    """Return the page of the players.

    A rule of the contest is told in more languages than the page has.
    """
    tag = language_of(request, site, LANGUAGES)
    rule = texts(tag, "contest")["on_screen"] if site.room.contest.on_screen else ""
    return _page(
        "contest.html",
        request,
        site,
        languages=PAGE_LANGUAGES,
        in_contest=True,
        has_likely=False,
        rule=rule,
        rule_language=tag,
    )


@router.get("/organiser", dependencies=[Knock])
async def organiser(request: Request, site: OnSite) -> Response:
    """Return the page of the organiser."""
    return _page("organiser.html", request, site, is_open=is_open(request, site))


@router.get("/static/{name:path}")
async def static(name: str, request: Request) -> Response:
    """Return a file of the pages."""
    file = statics().get(name)
    if file is None:
        raise HTTPException(404, "no such file")
    headers = {"etag": file.tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.body, media_type=file.media_type, headers=headers)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Return an empty answer; browsers request an icon on their own."""
    return Response(status_code=204)
