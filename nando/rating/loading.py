"""Load models from their files, including those shipped with nando."""

from pathlib import Path

from nando.features.groups import kinds_of
from nando.rating.files import SHIPPED_MODELS, read_model
from nando.rating.kinds import KINDS
from nando.rating.model import Rater


def load_model(
    path: str | Path | None = None, kind: str | None = None, *, crowd: str | None = None
) -> Rater:
    """Load a model from its file, or one shipped with nando.

    Parameters
    ----------
    path : str, Path or None
        None loads the shipped model for the kind.
    kind : str or None
        Kind of the puzzles that it must rate; None accepts any.
    crowd : str or None
        The crowd whose times it should predict; None uses the model's own or the typical crowd.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is not a model, or not a model for the kind or the crowd.
    """
    source = _find_shipped(kind or "sudoku") if path is None else Path(path)
    if path is not None and not source.exists():
        shipped = ", ".join(name for name in KINDS if has_model(name))
        raise FileNotFoundError(
            2, f"no such model file; a shipped model is chosen by its kind: {shipped}", str(path)
        )
    model = read_model(source, Rater.from_json)
    kinds = kinds_of(model.extractor.groups)
    if kind is not None and kind not in kinds:
        raise ValueError(
            f"{source}: the model {model.model_id} is for {' and '.join(kinds)}, not for {kind}"
        )
    return model if crowd is None else model.for_crowd(crowd)


def has_model(kind: str) -> bool:
    """Return True if a model is shipped for a kind of puzzle."""
    return kind in KINDS and KINDS[kind].model is not None


def _find_shipped(kind: str) -> Path:
    if kind not in KINDS:
        raise ValueError(
            f"no model is shipped for {kind!r} puzzles, and none can be fitted yet: nando rates "
            f"{' and '.join(KINDS)}"
        )
    if not has_model(kind):
        raise ValueError(
            f"no model is shipped for {kind!r} puzzles: fit one to your own times with "
            f"'nando fit --kind {kind} --data times.csv -o model.json' and name it with --model"
        )
    return SHIPPED_MODELS / str(KINDS[kind].model)
