"""How rules of variants are drawn: a function for each rule, in files grouped as the rules are."""
