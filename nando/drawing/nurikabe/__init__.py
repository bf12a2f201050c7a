"""How Nurikabe are drawn: boards and steps."""
