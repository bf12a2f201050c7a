"""The steps of the logic solver in words, for all kinds of puzzle."""
