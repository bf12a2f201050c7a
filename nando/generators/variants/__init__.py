"""New variants: a layout, digits that obey it, and as few clues read off the digits as needed."""
