"""The web services of the documentation answer."""

import importlib.util
import io
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import jsonschema
import pytest
from helpers.samples.sudokus import LINE, NINES

import nando
from nando.rating import Bank
from nando.schemas import load_schema

FOLDER = Path(__file__).resolve().parent.parent.parent / "examples" / "web"
SEVERAL = "." * 81


def module_of(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def asked(application, body, method="POST", length=None):
    """Return the status and the body that a WSGI application answers with."""
    environ = {"REQUEST_METHOD": method, "QUERY_STRING": "", "wsgi.input": io.BytesIO(body)}
    environ["CONTENT_LENGTH"] = str(len(body) if length is None else length)
    setup_testing_defaults(environ)
    statuses = []
    parts = validator(application)(
        environ, lambda status, headers, exc=None: statuses.append(status)
    )
    answer = json.loads(b"".join(parts))
    parts.close()
    return statuses[0].partition(" ")[0], answer


def test_the_plain_application():
    application = module_of("wsgi_app").application
    status, answer = asked(application, LINE.encode())
    assert (status, answer) == ("200", nando.rate(LINE).to_dict())
    jsonschema.validate(answer, load_schema("rate"))
    status, answer = asked(application, SEVERAL.encode())
    assert status == "422"
    assert "several solutions" in answer["error"]
    assert asked(application, b"no puzzle")[0] == "422"
    assert asked(application, b"\xff" * 9)[0] == "422"
    for damaged in (b"\0" * 81, b"PK\x03\x04" + b"0" * 77, b"\x1f\x8b\x08", b"<?xml", b""):
        assert asked(application, damaged)[0] == "422"
    assert asked(application, b"", method="GET")[0] == "405"
    assert asked(application, b"", length=10**9)[0] == "413"


@pytest.mark.parametrize("length", ["abc", "-1", "1.5", "9" * 5_000])
def test_an_invalid_length_is_refused(length):
    """The application itself refuses the request; the validator is left out here."""
    statuses = []
    environ = {"CONTENT_LENGTH": length, "wsgi.input": io.BytesIO(LINE.encode())}
    setup_testing_defaults(environ)
    environ["REQUEST_METHOD"] = "POST"
    application = module_of("wsgi_app").application
    (body,) = application(environ, lambda status, headers: statuses.append(status))
    assert statuses == ["400 Bad Request"]
    assert json.loads(body) == {"error": "Content-Length must be a number of bytes"}


def test_the_fastapi_application():
    pytest.importorskip("httpx", reason="httpx is not installed (nando[test])")
    testclient = pytest.importorskip("fastapi.testclient", reason="FastAPI is not installed")
    with testclient.TestClient(module_of("fastapi_app").app) as client:
        found = client.post("/rate", json={"puzzle": LINE})
        assert (found.status_code, found.json()) == (200, nando.rate(LINE).to_dict())
        jsonschema.validate(found.json(), load_schema("rate"))
        for wrong in (SEVERAL, "no puzzle", "." * 256, "1" * 3_000, "\0" * 81, "PK\x03\x04" * 9):
            assert client.post("/rate", json={"puzzle": wrong}).status_code == 422


def test_threads_share_a_bank():
    bank = Bank(nando.load_model())
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda puzzle: bank.rate([puzzle])[0], NINES * 4))
    assert found == nando.rate(NINES) * 4
