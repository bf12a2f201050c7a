"""Programs that fill a grid: in which order, and at what pace."""
