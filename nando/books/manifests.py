"""Read the manifests of books; a file is recognised before the modules of books are imported."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nando.puzzles.files import parse_json, read_text

if TYPE_CHECKING:
    from nando.books.book import Book


def read_book(path: str | Path) -> "Book":
    """Read the book of a manifest; it writes the same bytes as the original.

    Raises
    ------
    ValueError
        If the file is not the manifest of a book.
    OSError
        If it cannot be read.
    """
    from nando.books.book import Book

    text = read_text(path)
    with _name_errors(path):
        return Book.from_manifest(parse_json(text))


def find_book(path: str | Path) -> "Book | None":
    """Read the book of a manifest; None for any other file, for example puzzles in JSON.

    Raises
    ------
    ValueError
        If the file is the manifest of a book, but damaged.
    OSError
        If the file cannot be read.
    """
    manifest = None
    if Path(path).suffix.lower() == ".json":
        with suppress(ValueError):
            manifest = parse_json(read_text(path))
    if not isinstance(manifest, dict) or "book" not in manifest:
        return None
    from nando.books.book import Book

    with _name_errors(path):
        return Book.from_manifest(manifest)


@contextmanager
def _name_errors(path: str | Path) -> Iterator[None]:
    """Name the file in errors of its manifest."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
