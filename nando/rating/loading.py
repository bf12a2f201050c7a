"""Models from their files, those shipped with nando among them."""

from pathlib import Path

from nando.features.groups import kinds_of
from nando.rating.kinds import KINDS
from nando.rating.rater import DifficultyRater
from nando.rating.records import read_model


def load_model(path: str | Path | None = None, kind: str | None = None) -> DifficultyRater:
    """A model from its file, or one shipped with nando.

    Parameters
    ----------
    path : str, Path or None
        None takes the shipped one for the kind.
    kind : str or None
        Kind of the puzzles that it should rate; None does not ask.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not a model, or none for the kind.
    """
    source = _shipped(kind or "sudoku") if path is None else Path(path)
    rater = read_model(source, DifficultyRater.from_json)
    kinds = kinds_of(rater.solver_features.groups)
    if kind is not None and kind not in kinds:
        raise ValueError(
            f"{source}: the model {rater.model_id} is for {' and '.join(kinds)}, not for {kind}"
        )
    return rater


def _shipped(kind: str) -> Path:
    name = KINDS[kind].model if kind in KINDS else None
    if name is None:
        raise ValueError(
            f"no model is shipped for {kind!r} puzzles: fit one to your own times with "
            f"'nando fit --puzzle {kind} --data times.csv -o model.json' and name it with --model"
        )
    return Path(__file__).parent / "models" / name
