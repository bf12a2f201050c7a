"""Functions that draw the rules of variants, in files grouped as the rules are."""
