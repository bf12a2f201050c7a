"""The pages and their files: all of them known when the server starts.

A request names one of these and nothing else: no part of a path ever reaches the file system.
"""

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from nando.play.page import LANGUAGES, words
from nando.serve.routes.site import Knock, OnSite, is_open

router = APIRouter(include_in_schema=False)

_TYPES = {".mjs": "text/javascript", ".css": "text/css", ".json": "application/json"}


class Static(NamedTuple):
    """A file of the pages."""

    body: bytes
    media_type: str
    tag: str


@cache
def statics() -> dict[str, Static]:
    """The files of the pages, by the path behind ``/static/``."""
    found = {"words.json": json.dumps(_words(), ensure_ascii=False).encode()}
    for package, folder in (("nando.play", "play/"), ("nando.serve", "")):
        for file in (files(package) / "web").iterdir():
            if file.name.endswith((".mjs", ".css")):
                found[folder + file.name] = file.read_bytes()
    return {
        name: Static(body, _TYPES[name[name.rindex(".") :]], f'"{sha256(body).hexdigest()[:20]}"')
        for name, body in found.items()
    }


def _words() -> dict[str, dict[str, str]]:
    """The texts of the page of puzzles, and those of the contest."""
    import tomllib

    own = tomllib.loads((files("nando.serve") / "words.toml").read_text(encoding="utf-8"))
    return words() | own


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader("nando.serve"), PackageLoader("nando.play")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _page(template: str, **values: Any) -> Response:
    text = _environment().get_template(template).render(**values)
    return Response(text, media_type="text/html; charset=utf-8")


@router.get("/", dependencies=[Knock])
async def contest(site: OnSite) -> Response:
    """The page of the players."""
    return _page(
        "contest.html",
        title=site.room.contest.title,
        languages=LANGUAGES,
        in_contest=True,
        has_likely=False,
    )


@router.get("/organiser", dependencies=[Knock])
async def organiser(request: Request, site: OnSite) -> Response:
    """The page of the organiser."""
    return _page("organiser.html", title=site.room.contest.title, is_open=is_open(request, site))


@router.get("/static/{name:path}")
async def static(name: str, request: Request) -> Response:
    """A file of the pages."""
    found = statics().get(name)
    if found is None:
        raise HTTPException(404, "no such file")
    headers = {"etag": found.tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=found.media_type, headers=headers)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """None: browsers ask without being told to."""
    return Response(status_code=204)
