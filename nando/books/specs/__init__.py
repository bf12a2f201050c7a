"""What a book is: its parts, pages and trim, read from a file and checked."""
