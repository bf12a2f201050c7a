"""The exact search of Nurikabe."""
