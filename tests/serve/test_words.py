"""The texts of the pages of a contest: one table with all texts in all languages."""

import re
from html.parser import HTMLParser
from importlib.resources import files
from itertools import product

import pytest
from helpers.pages.contests import PASSWORD, Visitor, served

from nando.languages import texts
from nando.play.page import words as play_words
from nando.serve.names import say, words
from nando.solvers.logic.language import LANGUAGES, PAGE_LANGUAGES

CODE = r"\{% block style %\}.*?\{% endblock %\}|\{\{.*?\}\}|\{%.*?%\}"
"""Of a template: style sheets, expressions and statements."""


class Texts(HTMLParser):
    """A parser of the texts that a template contains itself."""

    SPOKEN = ("aria-label", "title", "placeholder", "alt")

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.is_code = False
        self.feed(re.sub(CODE, "", text, flags=re.DOTALL))

    def handle_starttag(self, tag, attrs):
        self.is_code = tag in ("style", "script")
        self.found += [value for name, value in attrs if name in self.SPOKEN and value]

    def handle_endtag(self, tag):
        self.is_code = False

    def handle_data(self, data):
        if data.strip() and not self.is_code:
            self.found.append(data.strip())


def texts_of(template):
    """Return the texts and spoken attributes of a template, without those of its expressions."""
    return Texts(template).found


def texts_in(suffix, *folders):
    """Return the texts of the files in folders of packages, by their names."""
    places = [file for package, folder in folders for file in (files(package) / folder).iterdir()]
    return {file.name: file.read_text("utf-8") for file in places if file.name.endswith(suffix)}


WEB = ("nando.serve", "web"), ("nando.play", "web")
TEMPLATES, SCRIPTS = texts_in(".html", *WEB), texts_in(".mjs", *WEB)
PYTHON = "".join(texts_in(".py", ("nando.serve", "")).values())
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}[^:]* [a-z]{2,}|[a-z]{2,} .*[.!?]$")
FIELDS = re.compile(r"\{(\w+)\}")


def test_every_text_is_there_in_every_language_with_the_same_fields():
    for name, row in words().items():
        assert list(row) == list(PAGE_LANGUAGES), name
        assert all(text.strip() for text in row.values()), name
        assert len({frozenset(FIELDS.findall(text)) for text in row.values()}) == 1, name


def test_every_text_that_is_asked_for_exists_and_every_text_is_asked_for():
    pages, scripts = "".join(TEMPLATES.values()), "".join(SCRIPTS.values())
    asked = set(re.findall(r'data-(?:say|label)="(\w+)"', pages))
    asked |= set(re.findall(r'(?<!\w)say\("(\w+)"', pages + scripts))
    asked |= {f"refused_{reason}" for reason in re.findall(r'RefusedError\("(\w+)"', PYTHON)}
    asked |= {"refused_name_taken", "refused_name_alike"}
    asked |= {"refused_joins", "refused_requests"}
    secrets = re.findall(r'wrong_secret\(site, request, "(\w+)"', PYTHON)
    asked |= {f"refused_{reason}" for reason in secrets}
    assert len(secrets) == 4
    assert asked <= set(words())
    own = set(words()) - set(play_words())
    left = {name for name in own - asked if f'"{name}"' not in scripts}
    # States of the server's work, see `Evidence`, and words that names may not contain.
    assert left == {"problem_busy", "problem_toolong", "problem_broken", "reserved"}


@pytest.mark.parametrize("template", texts_in(".html", *WEB, ("nando.drawing", "web")).values())
def test_a_template_has_no_text_of_its_own(template):
    assert [text for text in texts_of(template) if any(map(str.isalpha, text))] == []


def test_texts_of_a_template_are_found():
    assert texts_of("<p title='Hi'>{{ x }} Log out</p><style>p {}</style>") == ["Hi", "Log out"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_has_no_sentence_of_its_own(name):
    code = re.sub(r"^\s*//.*$|(?<=;) //.*$", "", SCRIPTS[name], flags=re.MULTILINE)
    literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', code)
    for literal in map("".join, literals):
        bare = re.sub(r"\$\{.*?\}", "", literal)
        assert not SENTENCE.search(bare), literal


@pytest.mark.parametrize(
    ("setting", "languages"),
    [
        ("", {"de-AT,de;q=0.9,en;q=0.8": "de", "fr, de;q=0.5": "de", "fr": "en", "": "en"}),
        ("de", {"en-GB": "de"}),
        ("en", {"de": "en"}),
    ],
)
def test_pages_come_in_the_language_of_the_contest_or_the_browser(tmp_path, setting, languages):
    pages = (("/", "noscript_contest"), ("/organiser", "noscript_organiser"))
    with served(tmp_path, wait=False, language=setting) as contest:
        for (accepted, language), (path, key) in product(languages.items(), pages):
            found = contest.get(path, headers={"accept-language": accepted})
            assert f'<html lang="{language}">' in found.text, accepted
            assert say(key, language).replace("'", "&#39;") in found.text, accepted
            assert found.headers["vary"] == "accept-language"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_to_solve_on_the_screen_is_told_in_nine_languages(tmp_path, language):
    rule = texts(language, "contest")["on_screen"]
    accepted = {"accept-language": f"{language}-XX,en;q=0.5"}
    with served(tmp_path, wait=False, on_screen=True) as contest:
        found = contest.get("/", headers=accepted).text
        assert f'<p id="on-screen" lang="{language}">{rule}</p>' in found
    assert language == "en" or rule != texts("en", "contest")["on_screen"]


def test_the_rule_to_solve_on_the_screen_is_told_only_where_it_holds(tmp_path):
    with served(tmp_path, wait=False) as contest:
        assert "on-screen" not in contest.get("/").text


def test_a_refusal_has_its_reason_and_the_fields_of_its_text(tmp_path):
    with served(tmp_path, wait=False) as contest:
        visitor = Visitor(contest)
        asked = {"name": "Ada", "code": "coffee"}
        answer = visitor("POST", "/contest/join", json=asked).json()
        assert (answer["detail"], answer["reason"]) == (say("refused_code"), "code")
        wrong = visitor("POST", "/organiser/login", json={"password": PASSWORD + "?"}).json()
        assert wrong["reason"] == "password"
        visitor.join("Ada")
        again = {"name": "ADA", "code": "tea-time"}
        taken = Visitor(contest)("POST", "/contest/join", json=again)
        assert (taken.status_code, taken.json()["fields"]) == (409, {"name": "ADA"})
        assert say("refused_name_taken", "de", **taken.json()["fields"]).startswith("ADA spielt")
