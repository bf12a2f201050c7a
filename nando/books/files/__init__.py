"""The files of a book: PDF, HTML, EPUB, pictures."""
