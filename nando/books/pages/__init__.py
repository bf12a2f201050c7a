"""The pages of a book, one file for each kind."""
