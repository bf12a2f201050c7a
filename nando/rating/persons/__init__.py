"""Times of single players, estimated from the games of several."""
