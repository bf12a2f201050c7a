"""Every defence of the threat model has a test."""

import http.client
import inspect
import re
import sqlite3
import time
from urllib.parse import urlsplit

import pytest
from helpers.pages.contests import PASSWORD, Visitor, begin, client_of, entry, proxied, served
from helpers.pages.played_pages import SUDOKU

from nando.serve import access
from nando.serve.access import ORGANISER_MS, PLAYER_MS, RateLimit
from nando.serve.guard import POLICY
from nando.serve.pages import statics

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def shared_ada(shared):
    visitor = Visitor(shared)
    visitor.join("Ada")
    return visitor


def test_tokens_keys_and_passwords_are_kept_as_hashes(contest, ada, tmp_path):
    organiser = Visitor(contest).login()
    token = contest.server.secrets.token
    kept = "\n".join(sqlite3.connect(tmp_path / "contest.db").iterdump())
    assert "Ada" in kept
    for secret in (
        *ada.cookies.values(),
        *organiser.cookies.values(),
        ada.answer["key"],
        PASSWORD,
        token,
    ):
        assert len(secret) >= 8
        assert secret not in kept
    assert access.token_hash(token) in kept


def test_a_password_is_salted_and_slow():
    one, two = access.password_hash(PASSWORD), access.password_hash(PASSWORD)
    assert one != two
    assert access.is_password(PASSWORD, one)
    assert access.is_password(PASSWORD, two)
    assert not access.is_password(PASSWORD + " ", one)


def test_secrets_are_compared_in_constant_time(contest, monkeypatch):
    compared = []
    true = access.hmac.compare_digest
    monkeypatch.setattr(
        access.hmac, "compare_digest", lambda a, b: (compared.append((a, b)), true(a, b))[1]
    )
    visitor = Visitor(contest)
    wrong = {"json": {"name": "A", "code": "no"}}
    assert visitor("POST", "/contest/join", **wrong).status_code == 403
    assert (b"no", b"teatime") in compared
    for method, path, options in (
        ("POST", "/contest/return", {"json": {"name": "Ada", "key": "no"}}),
        ("POST", "/organiser/login", {"json": {"password": "no"}}),
        ("GET", "/api/games", {"headers": {"authorization": "Bearer no"}}),
    ):
        visitor.join("Ada") if path.endswith("return") else None
        before = len(compared)
        assert visitor(method, path, **options).status_code == 403, path
        assert len(compared) > before, path
    for function in (access.is_same, access.is_password):
        assert "==" not in inspect.getsource(function)


def test_sessions_end(contest, ada):
    organiser = Visitor(contest).login()
    assert ada("GET", "/contest").json()["player"]["name"] == "Ada"
    contest.clock.set(60 + ORGANISER_MS / 1000)
    assert organiser("GET", "/organiser/state").status_code == 401
    assert ada("GET", "/contest").json()["player"]["name"] == "Ada"
    contest.clock.set(60 + PLAYER_MS / 1000)
    assert ada("GET", "/contest").json()["player"] is None
    assert ada.send(begin()).status_code == 401


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 200),
        ({"code": "coffee"}, 200),
        ({"password": "another horse"}, 401),
        ({"new_secrets": True}, 401),
    ],
)
def test_a_new_secret_ends_the_organisers_sessions(tmp_path, changes, status):
    with served(tmp_path) as contest:
        organiser, ada = Visitor(contest).login(), Visitor(contest)
        ada.join("Ada")
    with served(tmp_path, **changes) as contest:
        organiser.client = ada.client = contest
        for path in ("/organiser/state", "/organiser/games.csv", "/api/games"):
            assert organiser("GET", path).status_code == status, path
        assert ada("GET", "/contest").json()["player"]["name"] == "Ada"


@pytest.mark.parametrize("keeps", [False, True])
def test_a_contest_is_played_below_a_path_of_a_proxy(tmp_path, keeps):
    with (
        served(tmp_path, root_path="/sudoku/", secure=True, most_per_address=1) as contest,
        proxied(contest.server.address.removesuffix("/sudoku"), "/sudoku", keeps=keeps) as proxy,
        client_of(f"{proxy.address}/sudoku") as client,
    ):
        ada = Visitor(client)
        page = ada("GET", "/")
        links = re.findall(r'(?:href|src)="([^"]+)"', page.text + ada("GET", "/organiser").text)
        assert links
        assert not [link for link in links if link.startswith(("/", "http"))]
        for link in {link for link in links if link.startswith("static")}:
            assert ada("GET", f"/{link}").status_code == 200, link
        found = ada("POST", "/contest/join", json={"name": "Ada", "code": "tea-time"})
        assert "path=/sudoku/;" in found.headers["set-cookie"].casefold()
        assert ada.send(begin(), entry(2, 2, 4)).json()["seq"] == 2
        # The address is that of the browser, not of the proxy.
        asked = {"name": "Ben", "code": "tea-time"}
        assert Visitor(client)("POST", "/contest/join", json=asked).status_code == 429
        proxy.client = "192.0.2.2"
        assert Visitor(client)("POST", "/contest/join", json=asked).status_code == 200
        left = ada("POST", "/contest/leave").headers["set-cookie"].casefold()
        assert "path=/sudoku/;" in left
        assert ada("GET", "/openapi.json").json()["servers"] == [{"url": "/sudoku"}]
        bare = contest.get(contest.server.address, follow_redirects=False)
        assert (bare.status_code, bare.headers["location"]) == (308, "/sudoku/")


@pytest.mark.parametrize("path", ["sudoku", "/a b", "//", "/x//y", "/contest", "/api/x", "/é"])
def test_a_root_path_is_a_path_of_its_own(tmp_path, path):
    if path == "//":
        with served(tmp_path, root_path=path) as contest:
            assert contest.server.site.root_path == ""
        return
    with pytest.raises(ValueError, match="root path"), served(tmp_path, root_path=path):
        pass


def test_leaving_ends_a_session_for_good(contest, ada):
    cookies = dict(ada.cookies)
    assert ada("POST", "/contest/leave").status_code == 200
    ada.cookies = cookies
    assert ada("GET", "/contest/standings").status_code == 401


def test_cookies_are_out_of_the_reach_of_scripts_and_other_sites(contest):
    found = Visitor(contest)("POST", "/contest/join", json={"name": "A", "code": "tea-time"})
    cookie = found.headers["set-cookie"].casefold()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    contest.server.site.secure = True
    found = Visitor(contest)("POST", "/contest/join", json={"name": "B", "code": "tea-time"})
    assert "secure" in found.headers["set-cookie"].casefold()


@pytest.mark.parametrize("csrf", ["", "0" * 64, "é"])
def test_a_request_without_the_token_of_the_page_is_forged(contest, ada, csrf):
    organiser = Visitor(contest).login()
    ada.csrf = organiser.csrf = ""
    headers = {"x-csrf-token": csrf.encode()} if csrf else {}
    moves = {"device": "d", "moves": [begin()]}
    for visitor, path, body in (
        (ada, "/contest/moves", moves),
        (ada, "/contest/leave", {}),
        (organiser, "/organiser/logout", {}),
        (organiser, "/organiser/contest", {"do": "pause"}),
        (organiser, "/organiser/players/1", {"do": "remove"}),
        (organiser, "/api/rate", {"puzzles": [SUDOKU.text]}),
    ):
        assert visitor("POST", path, json=body, headers=headers).status_code == 403, path


def test_another_site_may_not_ask(shared):
    body = {"json": {"name": "Ben", "code": "tea-time"}}
    visitor = Visitor(shared)
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        assert visitor("POST", "/contest/join", headers=headers, **body).status_code == 403
    for kind in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        text = {"content": '{"name": "Ben", "code": "tea-time"}', "headers": {"content-type": kind}}
        assert visitor("POST", "/contest/join", **text).status_code == 415
    here = f"http://{shared.base_url.netloc.decode()}"
    found = visitor("POST", "/contest/join", headers={"origin": here}, **body)
    assert found.status_code == 200
    assert "access-control-allow-origin" not in found.headers


def raw(contest, *parts):
    """Send bytes that no client would send, in parts with a pause, and return the answer."""
    place = urlsplit(str(contest.base_url))
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
    connection.connect()
    for part in parts:
        connection.sock.sendall(part)
        time.sleep(0.1 if len(parts) > 1 else 0.0)
    found = http.client.HTTPResponse(connection.sock)
    found.begin()
    status = found.status
    connection.close()
    return status


def test_who_is_still_sending_reads_why_it_is_refused(shared):
    head = b"POST /contest/join HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n"
    for line, status in ((b"Origin: https://evil.example\r\n", 403), (b"", 413)):
        assert raw(shared, head + line + b"\r\n", b"x" * 45_000, b"x" * 45_000) == status


def test_large_bodies_are_refused_whatever_they_declare(contest, ada, monkeypatch):
    monkeypatch.setattr("nando.serve.guard._DRAIN_SECONDS", 0.2)
    found = ada("POST", "/contest/join", content=b"x" * (1 << 16))
    assert found.status_code == 413
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    head = b"POST /contest/join HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    assert raw(contest, head + b"Transfer-Encoding: chunked\r\n\r\n" + 2 * chunk) == 413
    assert raw(contest, head + b"Content-Length: 99999999\r\n\r\n") == 413
    moves = [begin(n) for n in range(1, 502)]
    assert ada.send(*moves).status_code == 422


def test_a_slow_body_is_cut_off(shared, monkeypatch):
    monkeypatch.setattr("nando.serve.guard.BODY_SECONDS", 0.2)
    head = b"POST /contest/join HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
    assert raw(shared, head) == 408


def test_guessing_is_slowed_down(contest):
    visitor = Visitor(contest)
    tried = [
        visitor("POST", "/contest/join", json={"name": "A", "code": str(n)}) for n in range(25)
    ]
    codes = [found.status_code for found in tried]
    assert codes[:20] == [403] * 20
    assert set(codes[20:]) <= {403, 429}
    assert codes[-1] == 429
    assert int(tried[-1].headers["retry-after"]) > 0
    assert visitor("POST", "/organiser/login", json={"password": PASSWORD}).status_code == 429


def test_a_player_cannot_flood_the_others(contest, ada):
    contest.server.site.moves = RateLimit(rate=1, burst=5, now=lambda: 0.0)
    codes = [ada("GET", "/contest/standings").status_code for _ in range(7)]
    assert codes == [200] * 5 + [429] * 2
    ben = Visitor(contest)
    ben.join("Ben")
    assert ben("GET", "/contest/standings").status_code == 200


def test_a_player_cannot_fill_the_disk(contest, ada):
    contest.server.site.entries = RateLimit(rate=1, burst=3, now=lambda: 0.0)
    moves = [begin(), *(begin(n) | {"event": {"e": "hide"}} for n in range(2, 6))]
    assert ada.send(*moves[:2]).status_code == 200
    assert ada.send(*moves[2:4]).status_code == 429
    assert ada.send(*moves[2:3]).json()["seq"] == 3


@pytest.mark.parametrize(
    ("setting", "status", "reason"),
    [("most_players", 422, "full"), ("most_per_address", 429, "joins")],
)
def test_joins_are_limited_by_address_and_in_all(tmp_path, setting, status, reason):
    def joined(name):
        asked = {"name": name, "code": "tea-time"}
        return Visitor(contest)("POST", "/contest/join", json=asked)

    with served(tmp_path, wait=False, **{setting: 3}) as contest:
        # Names that are refused do not count.
        found = [joined(name) for name in ("Ada", "Ada", "organiser", "Ben", "Cy", "Dora")]
        assert [one.status_code for one in found] == [200, 409, 422, 200, 200, status]
        assert found[-1].json()["reason"] == reason
        assert len(list(contest.server.room)) == 3


def test_pages_run_no_script_but_their_own(contest, ada):
    for path in ("/", "/organiser"):
        found = ada("GET", path)
        assert found.headers["content-security-policy"] == POLICY
        assert found.headers["x-content-type-options"] == "nosniff"
        scripts = re.findall(r"<script([^>]*)>([^<]*)", found.text)
        assert scripts
        assert all("src=" in attributes and not inside.strip() for attributes, inside in scripts)
        assert not re.search(r"\son\w+=|javascript:|\sstyle=|<style", found.text)
    assert "unsafe" not in POLICY
    assert "script-src 'self'" in POLICY


def test_https_is_demanded_once_browsers_use_it(contest, tmp_path):
    assert "strict-transport-security" not in contest.get("/").headers
    (tmp_path / "secure").mkdir()
    with served(tmp_path / "secure", wait=False, secure=True) as secure:
        for path, method in (("/", "GET"), ("/nowhere", "GET"), ("/contest/join", "POST")):
            found = secure.request(method, path, headers={"sec-fetch-site": "cross-site"})
            assert found.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    "path", ["/", "/organiser", "/contest", "/static/contest.css", "/openapi.json", "/nowhere"]
)
def test_head_answers_as_get_does_without_a_body(shared, path):
    got, asked = shared.get(path), shared.head(path)
    assert (asked.status_code, asked.content) == (got.status_code, b"")
    assert asked.headers["content-length"] == got.headers["content-length"]


@pytest.mark.parametrize("typed", ["{}", " {} ", "dashless {}", "UPPER {}", "spaced {}"])
def test_made_secrets_are_accepted_as_people_type_them(contest, ada, typed):
    def written(secret):
        return {
            "dashless": secret.replace("-", ""),
            "UPPER": secret.upper(),
            "spaced": secret.replace("-", "  "),
        }.get(typed.partition(" ")[0], typed.format(secret))

    asked = {"name": "Ada", "key": written(ada.answer["key"])}
    assert Visitor(contest)("POST", "/contest/return", json=asked).status_code == 200
    asked = {"name": "Ben", "code": written("tea-time")}
    assert Visitor(contest)("POST", "/contest/join", json=asked).status_code == 200
    assert access.is_password(written("abcd-efgh-jkmn"), access.password_hash("abcd-efgh-jkmn"))
    assert not access.is_password("abcd-efgh-jkm", access.password_hash("abcd-efgh-jkmn"))


def test_every_answer_has_the_headers(contest, ada):
    for path in ("/", "/nowhere", "/contest/moves", "/static/contest.css", "/openapi.json"):
        found = ada("PUT" if path == "/contest/moves" else "GET", path)
        for name in ("content-security-policy", "x-content-type-options", "x-frame-options"):
            assert name in found.headers, (path, found.status_code)


def test_hostile_titles_and_names_are_text(tmp_path):
    with served(tmp_path, wait=False, title=HOSTILE) as contest:
        visitor = Visitor(contest)
        assert HOSTILE not in visitor("GET", "/").text
        assert "&lt;img" in visitor("GET", "/").text
        visitor.join(HOSTILE)
        found = visitor("GET", "/contest/standings")
        assert found.headers["content-type"] == "application/json"
        assert found.json()["standings"][0]["name"] == HOSTILE


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Ada\n\tLovelace ", "Ada Lovelace"),
        ("\u202eCy\u202c", "Cy"),
        ("=1+1", "1+1"),
        ("@-+Dora", "Dora"),
        ("\u0627\u200c\u0631\u0636", "\u0627\u200c\u0631\u0636"),
        (f"{FAMILY} Eve", f"{FAMILY} Eve"),
        (f"Fay\u200d {FAMILY}", f"Fay {FAMILY}"),
    ],
)
def test_names_are_on_one_line_and_no_formulas(shared, name, shown):
    assert Visitor(shared).join(name)["name"] == shown


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "no_letter"),
        (" \u200b", "no_letter"),
        ("===", "no_letter"),
        ("x" * 41, "long_name"),
        ("Ada", "name_taken"),
        ("ADA", "name_taken"),
        ("ａｄａ", "name_taken"),
        ("\u0410da", "alphabets"),
        ("Ada\u0331", "name_alike"),
        ("A\u200ddA", "name_alike"),
        ("\u0391d\u03b1", "alphabets"),
        ("Zoe\u0301\u0302\u0303\u0304", "marks"),
        ("Organiser", "reserved"),
        ("The 0rganizer!", "reserved"),
        ("VERANSTALTER", "reserved"),
        ("Adm\u0131n", "reserved"),
    ],
)
def test_invalid_used_and_reserved_names_are_refused(shared, shared_ada, name, reason):
    found = Visitor(shared)("POST", "/contest/join", json={"name": name, "code": "tea-time"})
    assert (found.status_code in (409, 422), found.json()["reason"]) == (True, reason)


def test_a_name_of_another_alphabet_may_not_look_like_one_that_is_taken(contest):
    Visitor(contest).join("\u0421\u043e\u0440\u0430")
    for name in ("Copa", "c0pa", "\u0421\u041e\u0420\u0410"):
        found = Visitor(contest)("POST", "/contest/join", json={"name": name, "code": "tea-time"})
        assert found.status_code == 409
    for name in ("Zoë", "Zoe", "\u0412\u043e\u0432\u0430", "Nguy\u1ec5n Th\u1ecb \xc1nh"):
        Visitor(contest).join(name)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../contest.py",
        "/static/..%2f..%2f..%2fetc%2fpasswd",
        "/static/%2e%2e/contest.py",
        "/static//etc/passwd",
        "/static/play/..\\..\\page.py",
        "/static/contest.db",
        "/contest.db",
        "/static/",
        "/static/contest.css%00",
    ],
)
def test_no_path_leads_to_a_file(shared, path):
    place = urlsplit(str(shared.base_url))
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
    connection.request("GET", path)
    found = connection.getresponse()
    assert found.status == 404, path
    assert b"root:" not in found.read()
    connection.close()


def test_the_files_of_the_pages_are_known_beforehand(shared):
    assert {"contest.mjs", "contest.css", "words.json", "play/table.mjs"} <= statics().keys()
    for name, file in statics().items():
        found = shared.get(f"/static/{name}")
        assert found.content == file.body
        assert found.headers["content-type"].partition(";")[0] == file.media_type


def test_a_puzzle_is_no_path_to_a_file_either(contest, tmp_path):
    (tmp_path / "secret.txt").write_text(SUDOKU.text, encoding="utf-8")
    headers = {"authorization": f"Bearer {contest.server.secrets.token}"}
    asked = {"puzzles": [str(tmp_path / "secret.txt")]}
    found = contest.post("/api/rate", json=asked, headers=headers)
    assert found.status_code == 422
    assert SUDOKU.text not in found.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/contest/puzzles"),
        ("GET", "/contest/moves"),
        ("GET", "/contest/standings"),
        ("POST", "/contest/moves"),
        ("POST", "/contest/leave"),
        ("GET", "/organiser/state"),
        ("GET", "/organiser/report"),
        ("GET", "/organiser/games.csv"),
        ("GET", "/organiser/puzzles.csv"),
        ("GET", "/organiser/puzzles.svg"),
        ("GET", "/organiser/standings.csv"),
        ("GET", "/organiser/standings.json"),
        ("POST", "/organiser/contest"),
        ("POST", "/organiser/players/1"),
        ("POST", "/organiser/logout"),
        ("GET", "/api/games"),
        ("GET", "/api/rate"),
        ("POST", "/api/rate"),
        ("POST", "/api/explain"),
        ("POST", "/api/generate"),
        ("POST", "/api/games"),
    ],
)
def test_nobody_gets_in_without_a_session(shared, shared_ada, method, path):
    body = {"json": {"device": "d", "moves": []}} if method == "POST" else {}
    assert Visitor(shared)(method, path, **body).status_code == 401
    if not path.startswith("/contest"):
        assert shared_ada(method, path, **body).status_code == 401
    else:
        stranger = Visitor(shared)
        stranger.cookies = {"nando_player": "x" * 43}
        assert stranger(method, path, **body).status_code == 401


def test_an_organiser_is_no_player_and_a_player_no_organiser(contest, ada):
    organiser = Visitor(contest).login()
    swapped = Visitor(contest)
    swapped.cookies = {
        "nando_player": organiser.cookies["nando_organiser"],
        "nando_organiser": ada.cookies["nando_player"],
    }
    assert swapped("GET", "/contest/standings").status_code == 401
    assert swapped("GET", "/organiser/state").status_code == 401
