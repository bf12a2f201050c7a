"""Ratings over HTTP with nothing but WSGI.

gunicorn --workers 2 --timeout 30 wsgi_app:application
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

import nando
from nando.puzzles import PuzzleError

HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
MOST_BYTES = 2_000

nando.rate(HARD)  # loads the model and all compiled code before the first request


def application(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
    """Rate the puzzle in the body of a request."""
    status, answer = _answer(environ)
    body = json.dumps(answer).encode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start_response(status, headers)
    return [body]


def _answer(environ: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if environ["REQUEST_METHOD"] != "POST":
        return "405 Method Not Allowed", {"error": "send a puzzle with POST"}
    try:
        length = int(environ.get("CONTENT_LENGTH") or 0)
    except ValueError:
        length = -1
    if length < 0:
        return "400 Bad Request", {"error": "Content-Length must be a number of bytes"}
    if length > MOST_BYTES:
        return "413 Content Too Large", {"error": f"at most {MOST_BYTES} bytes"}
    text = environ["wsgi.input"].read(length).decode(errors="replace")
    try:
        return "200 OK", nando.rate(text, kind="sudoku").to_dict()
    except PuzzleError as error:
        return "422 Unprocessable Content", {"error": str(error)}
