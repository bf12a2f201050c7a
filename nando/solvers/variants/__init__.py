"""Constraints of a variant as arrays, for every solver of variants."""
