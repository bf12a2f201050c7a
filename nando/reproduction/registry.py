"""All experiments, from ``experiments.toml`` and their functions, and runs of several of them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nando import __version__
from nando.puzzles.files import SPOILT, parse_json, read_text
from nando.reproduction import cunha, lewis, pelanek, reseda, soto
from nando.reproduction.core import Experiment, Result, Settings
from nando.tables import load_table
from nando.writing import write_file

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
    "thesis-correlations": pelanek.correlations,
    "thesis-order": pelanek.orders,
    "dependency-by-k": pelanek.dependency_by_k,
    "relaxation-law": pelanek.relaxation_law,
}
_ABOUT = load_table("nando.reproduction", "experiments.toml")

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


def run_experiments(
    experiments: Sequence[Experiment],
    settings: Settings,
    *,
    folder: Path | None = None,
    resume: bool = False,
) -> Iterator[Result]:
    """Run experiments and yield each result as soon as it is available.

    Parameters
    ----------
    experiments : sequence of Experiment
    settings : Settings
    folder : Path or None
        Folder of the results, with a file for each; it is created if necessary.
    resume : bool
        Use stored results of the same seed, effort and version of nando instead of running.

    Raises
    ------
    ValueError
        If `resume` is true and there is no folder.
    """
    if resume and folder is None:
        raise ValueError("resume needs the folder of the interrupted run: give -o DIR")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for experiment in experiments:
        kept = _read_result(folder, experiment.name) if resume and folder is not None else None
        conditions = (settings.seed, settings.effort, __version__)
        if kept is None or (kept.seed, kept.effort, kept.version) != conditions:
            kept = experiment.run(settings)
            if folder is not None:
                path = folder / f"{experiment.name}.json"
                write_file(path, json.dumps(kept.as_json(), indent=1) + "\n")
        yield kept


def _read_result(folder: Path, name: str) -> Result | None:
    """Return the result in a folder, or None if there is no readable one."""
    try:
        return Result.from_json(parse_json(read_text(folder / f"{name}.json")))
    except (FileNotFoundError, *SPOILT):
        return None


def read_results(experiments: Sequence[Experiment], folder: Path) -> list[Result]:
    """Return the results that a folder has, in the order of the experiments."""
    results = (_read_result(folder, experiment.name) for experiment in experiments)
    return [result for result in results if result is not None]
