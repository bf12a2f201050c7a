"""How long a puzzle takes a single player, by the games of several."""
