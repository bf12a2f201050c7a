"""A laid-out book as one HTML file: pages as SVG, embedded fonts, no script, no network."""

from typing import IO

from nando.books.layout.binder import Binder
from nando.books.pages.front import title_of
from nando.drawing.pages import page
from nando.drawing.typeface import used_faces, woff_address


def write_html(layout: Binder, file: IO[bytes]) -> None:
    """Write a book into a binary file; browsers print it on pages of the book's size."""
    used = used_faces((sheet.picture for sheet in layout.pages), layout.style.typeface)
    faces = [
        {"weight": weight, "address": woff_address(font, characters)}
        for weight, font, characters in used
    ]
    for part in page(
        "nando.books.files",
        "book.html",
        title=title_of(layout),
        language=layout.spec.language,
        layout=layout,
        faces=faces,
    ):
        file.write(part.encode())
