"""Every experiment there is. A new one is one entry in the file of its paper."""

from nando.reproduction.core import Experiment
from nando.reproduction.cunha import EXPERIMENTS as _CUNHA
from nando.reproduction.krivanek import EXPERIMENTS as _KRIVANEK
from nando.reproduction.lewis import EXPERIMENTS as _LEWIS
from nando.reproduction.pelanek import EXPERIMENTS as _PELANEK
from nando.reproduction.reseda import EXPERIMENTS as _RESEDA
from nando.reproduction.soto import EXPERIMENTS as _SOTO

EXPERIMENTS: tuple[Experiment, ...] = (*_LEWIS, *_CUNHA, *_RESEDA, *_SOTO, *_KRIVANEK, *_PELANEK)
"""Every experiment. A new one is one entry in its paper's file."""


def find_experiments(names: list[str]) -> list[Experiment]:
    """Return the named experiments in the order of the registry; without names, all of them.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the known ones.
    """
    known = [experiment.name for experiment in EXPERIMENTS]
    for name in names:
        if name not in known:
            raise ValueError(f"unknown experiment {name!r}; known: {', '.join(known)}")
    return [experiment for experiment in EXPERIMENTS if not names or experiment.name in names]
