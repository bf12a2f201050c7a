"""Commands that read puzzles: what they are, how hard, and why."""
