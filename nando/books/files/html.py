"""A laid-out book as one HTML file: pages as SVG, embedded fonts, no script, no network."""

from typing import IO

from nando.books.typesetter import Layout
from nando.drawing.embedding import used_characters, woff_address
from nando.drawing.pages import page


def write_html(layout: Layout, file: IO[bytes]) -> None:
    """Write a book into a binary file; it prints on pages of the book's size."""
    typeface = layout.style.typeface
    used = used_characters((made.picture for made in layout.pages), typeface)
    faces = [
        {"weight": weight, "address": woff_address(font, used[font])}
        for font, weight in ((typeface.regular, "normal"), (typeface.bold, "bold"))
        if font is not None and used[font]
    ]
    for part in page(
        "nando.books.files",
        "book.html",
        title=layout.title,
        language=layout.language,
        layout=layout,
        faces=faces,
    ):
        file.write(part.encode())
