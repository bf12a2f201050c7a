"""What a rating is fitted to, how it is fitted, and the posteriors of games and players."""
