"""What the fuzzer has found worth keeping, once more: every reader keeps its rule on it."""

from pathlib import Path

import pytest
from fuzz import readers

CORPUS = Path(__file__).resolve().parent.parent / "fuzz" / "corpus"


@pytest.mark.parametrize("name", readers.TARGETS)
def test_the_corpus_of_a_reader(name):
    files = sorted((CORPUS / name).glob("*"))
    assert files
    with readers.eased():
        for data in [*readers.seeds(name), *(file.read_bytes() for file in files)]:
            readers.TARGETS[name](data)


def test_the_corpus_is_small_and_of_known_readers():
    assert {folder.name for folder in CORPUS.iterdir()} == set(readers.TARGETS)
    assert sum(file.stat().st_size for file in CORPUS.rglob("*") if file.is_file()) < 300_000


def test_seeds_are_sound():
    """A fuzzer that begins with what is refused finds nothing behind the first check."""
    assert readers.LinearRater.from_json(readers.seeds("model")[0].decode())
    book = readers.Book.from_manifest(readers.parse_json(readers.seeds("manifest")[0].decode()))
    assert book.n_puzzles == 2
    for form in range(4):
        seed = readers.seeds("games")[form]
        log = readers.read_games(
            readers._file(f"log.{('csv', 'json', 'jsonl', 'tsv')[form]}", seed[1:])
        )
        assert len(log.games) == 1
        assert not log.problems
