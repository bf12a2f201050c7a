"""The pages of a book, a file for each kind."""
