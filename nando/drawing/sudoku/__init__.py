"""How Sudokus are drawn: boards and steps."""
