"""Commands on games: how people play, and whether people played."""
