"""Run experiments one after another and save each as JSON as soon as it is done."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nando import __version__
from nando.puzzles.files import SPOILT, parse_json, read_text
from nando.reproduction.core import Experiment, Result, Settings
from nando.writing import replaced_file


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
        Take a kept result of the same seed, effort and version of nando instead of running.

    Raises
    ------
    ValueError
        If there is nothing to resume from: no folder.
    """
    if resume and folder is None:
        raise ValueError("resume needs the folder of the run to go on with: give -o DIR")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for experiment in experiments:
        kept = _kept(folder, experiment.name) if resume and folder is not None else None
        conditions = (settings.seed, settings.effort, __version__)
        if kept is None or (kept.seed, kept.effort, kept.version) != conditions:
            kept = experiment.run(settings)
            if folder is not None:
                with replaced_file(folder / f"{experiment.name}.json") as file:
                    file.write((json.dumps(kept.as_json(), indent=1) + "\n").encode())
        yield kept


def _kept(folder: Path, name: str) -> Result | None:
    """Return the result in a folder, or None if there is no readable one."""
    try:
        return Result.from_json(parse_json(read_text(folder / f"{name}.json")))
    except (FileNotFoundError, *SPOILT):
        return None


def kept_results(experiments: Sequence[Experiment], folder: Path) -> list[Result]:
    """Return the results that a folder has, in the order of the experiments."""
    results = (_kept(folder, experiment.name) for experiment in experiments)
    return [result for result in results if result is not None]
