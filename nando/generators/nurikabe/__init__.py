"""New Nurikabe."""
