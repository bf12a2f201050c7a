"""Links that hold a puzzle, and other formats of one line; a file for each program."""
