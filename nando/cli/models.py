"""The commands around models: fit, evaluate, datasets."""

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando import __version__
from nando.cli.input import announce_compiling
from nando.cli.output import Columns, Format, Shown, opened_output, output_format, plain
from nando.cli.training import BASELINE, known_training, read_times

if TYPE_CHECKING:
    from nando.puzzles import Puzzle


def fit(data: Path | None, output: Path, kind: str, *, jobs: int | None) -> int:
    """Fit the default model, cross-validate it beside the baseline, and write it as JSON."""
    from nando.puzzles import find_puzzle
    from nando.puzzles.writing import packed_text, replaced_file

    find_puzzle(kind)
    if output.suffix.lower() != ".json":
        raise ValueError(f"{output}: a model is a .json file")
    with replaced_file(output) as file, packed_text(file, output) as text:
        known = known_training(kind) if data is None else read_times(data, kind)
        from nando.evaluation import evaluate
        from nando.features import SolverFeatures, default_groups, groups_of
        from nando.rating import DifficultyRater, default_columns

        announce_compiling()
        rater = DifficultyRater(default_columns(kind), unit=known.unit)
        rater.features = SolverFeatures(groups=groups_of(rater.columns), n_jobs=jobs, progress=True)
        rater.fit(known.puzzles, known.values, sample_weight=known.players)
        baseline = BASELINE[kind]
        models = {"model": rater, baseline: DifficultyRater([baseline])}
        checked = evaluate(
            known.puzzles,
            known.values,
            known.players,
            models=models,
            features=SolverFeatures(groups=default_groups(kind), n_jobs=jobs),
            repeats=2,
            n_bootstrap=500,
            strata=known.strata,
            order=known.order,
        )
        rater.provenance_ = {
            "name": known.name,
            "data": known.provenance,
            "puzzles": len(known.puzzles),
            "players": None if known.players is None else int(sum(known.players)),
            "fitted": datetime.date.today().isoformat(),
            "nando": __version__,
            "scores": {
                name: {
                    metric: [round(number, 4) for number in (score.value, score.low, score.high)]
                    for metric, score in scores.items()
                }
                for name, scores in checked.scores.items()
            },
        }
        text.write(rater.to_json())
    print(f"{rater.model_id}: fitted to {len(known.puzzles):,} puzzles, written to {output}")
    return 0


def evaluate(
    kind: str,
    targets: Sequence[str],
    output: Path | None,
    chosen: Format | None,
    *,
    repeats: int,
    seed: int,
) -> int:
    """Cross-validate the default model and the baselines on what is known of people."""
    to_people = output_format(output, chosen) is Format.TABLE
    from nando import evaluation, features, rating

    rows, pages = [], []
    for target in targets:
        known = known_training(kind, target)
        announce_compiling()
        models = {"nando": rating.DifficultyRater(rating.default_columns(kind), unit=known.unit)}
        for name, columns in rating.baselines(kind).items():
            models[name] = rating.DifficultyRater(columns, unit=known.unit)
        found = evaluation.evaluate(
            known.puzzles,
            known.values,
            known.players,
            target=target if known.unit == "seconds" else known.unit,
            models=models,
            features=features.SolverFeatures(features.default_groups(kind)),
            repeats=repeats,
            seed=seed,
            strata=known.strata,
            order=known.order,
        )
        rows += found.table().to_dict("records")
        pages.append(found.page())
    if to_people:
        return _text([*pages, evaluation.published_page(kind)], output, chosen)
    return _table(rows, output, chosen)


_PICTURES = (".svg", ".png")


def compare(
    targets: Sequence[str],
    output: Path | None,
    chosen: Format | None,
    *,
    repeats: int,
    seed: int,
    jobs: int | None,
) -> int:
    """Cross-validate the published metrics and ours; draw residuals where `output` is a picture."""
    drawn = output if output and output.suffix.lower() in _PICTURES else None
    told = None if drawn else output
    to_people = output_format(told, chosen, also=_PICTURES) is Format.TABLE
    from nando import evaluation
    from nando.evaluation import residuals as residual_drawing

    if drawn:
        residual_drawing.check_plotting()
    found = []
    for target in targets:
        known = known_training("sudoku", target)
        announce_compiling()
        found.append(
            evaluation.compare(
                known.puzzles,
                known.values,
                known.players,
                players=players_behind(target, known.puzzles),
                target=target,
                repeats=repeats,
                seed=seed,
                n_jobs=jobs,
            )
        )
    if drawn:
        from nando.puzzles.writing import replaced_file

        picture = residual_drawing.residual_plot(
            [item.evaluation for item in found], drawn.suffix.lower()[1:]
        )
        with replaced_file(drawn) as file:
            file.write(picture)
    if to_people:
        return _text([*(item.page() for item in found), evaluation.published_page()], told, chosen)
    rows = [row for item in found for row in item.table().to_dict("records")]
    return _table(rows, told, chosen)


def players_behind(target: str, puzzles: Sequence["Puzzle"]) -> list[float] | None:
    """Players behind the time of each puzzle; None where they are not known of each."""
    if target == "game_seconds":
        return None
    known = known_training("sudoku")
    count = dict(zip(known.puzzles, known.players or (), strict=True))
    return [count[puzzle] for puzzle in puzzles] if all(p in count for p in puzzles) else None


def datasets(name: str | None, output: Path | None, chosen: Format | None, *, fetch: bool) -> int:
    """List the data sets, or describe and fetch one."""
    from nando.datasets import DATASETS

    if name is not None and name not in DATASETS:
        raise ValueError(f"unknown data set {name!r}; known: {', '.join(DATASETS)}")
    if name is None:
        rows = [
            {
                "name": data_set.name,
                "here": "yes" if data_set.is_available() else "no",
                "licence": data_set.licence,
                "summary": data_set.summary,
            }
            for data_set, _ in DATASETS.values()
        ]
        return _table(rows, output, chosen)
    data_set, _ = DATASETS[name]
    print(data_set.description().strip())
    if data_set.files:
        print("\nLooked for in:")
        print("\n".join(f"  {folder}" for folder in data_set.folders()))
    for file in data_set.files:
        found = data_set.path(file.name) if fetch else data_set.find(file.name)
        print(f"  {file.name}: {found or 'not here; fetch it with --fetch'}")
    return 0


def _text(pages: Sequence[str], output: Path | None, chosen: Format | None) -> int:
    """Write pages for people."""
    with opened_output(output, chosen, {}, [Shown("", 0, "text")]) as writer:
        writer.write([{"text": "\n\n".join(pages)}])
    return 0


def _table(rows: Sequence[dict[str, Any]], output: Path | None, chosen: Format | None) -> int:
    """Write rows whose columns are known only now."""
    rows = [{str(key): plain(value) for key, value in row.items()} for row in rows]
    columns: Columns = {
        key: type(value) if isinstance(value, int | float) else str
        for key, value in (rows[0] if rows else {}).items()
    }
    shown = [
        Shown(key, max([len(key), *(len(_short(row[key])) for row in rows)]) * sign, key)
        for key, kind in columns.items()
        for sign in [-1 if kind is str else 1]
    ]
    with opened_output(output, chosen, columns, shown) as writer:
        writer.write(rows)
    return 0


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
