"""What is kept of a contest: tables, a journal that writes them, and reading them again."""
