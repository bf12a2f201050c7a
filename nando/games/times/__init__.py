"""How long players took for puzzles, as their games tell."""
