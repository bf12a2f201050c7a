"""The human-style logic solver: techniques, the ladders they make, and their words."""
