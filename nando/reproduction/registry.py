"""Every experiment there is: a table of ``experiments.toml`` and the function that measures it."""

from importlib import resources

from nando.puzzles.files import parse_toml
from nando.reproduction import cunha, krivanek, lewis, pelanek, reseda, soto
from nando.reproduction.core import Experiment

_MEASURES = {
    "lewis-table1": lewis.table1,
    "lewis-fig2": lewis.figure2,
    "lewis-fig3": lewis.figure3,
    "cunha": cunha.tables,
    "reseda-table1": reseda.table1,
    "reseda-table2": reseda.table2,
    "reseda-table3": reseda.table3,
    "reseda-table4": reseda.table4,
    "reseda-table5": reseda.table5,
    "soto": soto.text,
    "thesis-correlations": krivanek.correlations,
    "thesis-order": krivanek.orders,
    "dependency-by-k": pelanek.dependency_by_k,
    "relaxation-law": pelanek.relaxation_law,
}
_ABOUT = parse_toml((resources.files("nando.reproduction") / "experiments.toml").read_text("utf-8"))

EXPERIMENTS = tuple(
    Experiment(name, measure=_MEASURES[name], **about) for name, about in _ABOUT.items()
)
"""Every experiment, in the order of the report."""


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
