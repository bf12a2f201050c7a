"""The orders in which other programs try techniques."""
