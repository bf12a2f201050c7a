"""Links that contain a puzzle, and other formats of one line; one module per program."""
