"""Books stand in :mod:`nando.books` now; this path goes on working."""

from nando.moved import moved

__getattr__ = moved(
    __name__, dict.fromkeys(("Book", "Section", "read_book", "sections_by_grade"), "nando.books")
)
