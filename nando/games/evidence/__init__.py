"""Evidence for people and for programs: in a game, a player, a contest."""
