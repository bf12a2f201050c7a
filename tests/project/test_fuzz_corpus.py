"""Every reader keeps its rule on the inputs that the fuzzer found."""

import json

import pytest
from fuzz import corpus, readers
from fuzz.target import file_of
from fuzz.targets import puzzles
from fuzz.targets.files import LOG_SUFFIXES
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.books import Book
from nando.games.log import read_games
from nando.rating import Rater


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough) if name == "manifest" else name
        for name in readers.TARGETS
    ],
)
def test_the_corpus_of_a_reader(name):
    target = readers.TARGETS[name]
    found = corpus.read(name)
    assert found
    with readers.eased():
        for data in [*target.seeds(), *found]:
            target.run(data)


@pytest.mark.parametrize("name", [target.name for target in puzzles.TARGETS])
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_a_reader_of_puzzles_keeps_its_rule_on_any_input(name, data):
    """An input is cut, continued by another, or has something in its midst."""
    target = readers.TARGETS[name]
    some = st.sampled_from(target.seeds())
    text = st.text(alphabet="0123456789.ABGP_*-+|xs,;:\t\n #[]\"'/%=zZ\u2502\u2500", max_size=90)
    between = st.one_of(
        st.binary(max_size=40), text.map(str.encode), st.text(max_size=9).map(encoded)
    )
    first, last = sorted((data.draw(st.integers(0, 400)), data.draw(st.integers(0, 400))))
    with readers.eased():
        target.run(data.draw(some)[:first] + data.draw(between) + data.draw(some)[last:])


def encoded(text):
    return text.encode(errors="replace")


def test_the_corpus_is_small_and_of_known_readers():
    assert {path.name for path in corpus.CORPUS.iterdir()} == {
        f"{name}.jsonl" for name in readers.TARGETS
    }
    assert sum(path.stat().st_size for path in corpus.CORPUS.iterdir()) < 300_000


@pytest.mark.parametrize("name", readers.TARGETS)
def test_a_corpus_file_has_one_form(name):
    assert corpus.path_of(name).read_text(encoding="ascii") == corpus.packed(corpus.read(name))


def test_seeds_are_sound():
    """Every seed is accepted, because a refused one lets a fuzzer test only the first check."""
    assert Rater.from_json(readers.TARGETS["model"].seeds()[0].decode())
    book = Book.from_manifest(json.loads(readers.TARGETS["manifest"].seeds()[0]))
    assert book.n_puzzles == 2
    for suffix, seed in zip(LOG_SUFFIXES, readers.TARGETS["games"].seeds(), strict=True):
        log = read_games(file_of(f"log{suffix}", seed[1:]))
        assert len(log.games) == 1
        assert not log.problems
