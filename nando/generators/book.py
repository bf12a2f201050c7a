"""Old import path of :mod:`nando.books`."""

from nando.moved import moved

__getattr__ = moved(
    __name__, dict.fromkeys(("Book", "Section", "read_book", "sections_by_grade"), "nando.books")
)
