"""Evidence for people and for programs in a game, for a player, and in a contest."""
