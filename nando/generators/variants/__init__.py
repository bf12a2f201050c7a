"""New variants: a layout, digits that obey it, and no more clues from these digits than needed."""
