"""A line in some columns: the model of single metrics, of other puzzles, and of one crowd."""
