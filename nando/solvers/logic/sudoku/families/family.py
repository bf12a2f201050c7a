"""A family of patterns, as a step was recognised to be one."""

from typing import NamedTuple


class Family(NamedTuple):
    """What a step is an example of.

    Attributes
    ----------
    name : str
        Name of the family, such as "skyscraper".
    cells, digits : tuple of int
        The pattern that makes it one: its cells, and its digits from 1.
    houses : tuple of int
        Houses of the pattern, for a fish first those of the base, then those of the cover; none
        where the cells alone make it.
    """

    name: str
    cells: tuple[int, ...]
    digits: tuple[int, ...] = ()
    houses: tuple[int, ...] = ()
