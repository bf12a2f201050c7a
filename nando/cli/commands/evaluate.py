"""The command `evaluate`."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from nando.cli.games import finished_games
from nando.cli.options import Form, Job, JobOption, Jobs, MadeKind, Output
from nando.cli.output import Destination
from nando.cli.progress import Advance, announce_compiling, progress
from nando.cli.writers import Layout

_PICTURES = (".svg", ".png")
_METRICS = Layout(
    {
        "part": str,
        "subject": str,
        "metric": str,
        "value": float,
        "low_95": float,
        "high_95": float,
    }
)


class Target(StrEnum):
    """Human times to evaluate on."""

    MEAN_SECONDS = "mean_seconds"
    D_TO = "D_TO"
    BOTH = "both"
    GAME_SECONDS = "game_seconds"
    ALL = "all"


def evaluate(
    target: Annotated[Target, typer.Option(help="Times to predict.")] = Target.MEAN_SECONDS,
    repeats: Annotated[int, typer.Option(min=1, help="Repeats of the cross-validation.")] = 5,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Compare with every published metric, with a learning curve and the ceiling "
            "set by noise; -o FILE.svg or .png draws residuals.",
        ),
    ] = False,
    crowds: Annotated[
        bool,
        typer.Option(
            "--crowds",
            help="Leave out each published crowd in turn: the accuracy for unknown players.",
        ),
    ] = False,
    job: JobOption = Job.TIME,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --job order: a log of honest games; default: Sudoku Insight."
        ),
    ] = None,
    output: Output = None,
    form: Form = None,
    jobs: Jobs = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the folds.")] = 0,
    kind: MadeKind = "sudoku",
) -> int:
    """Cross-validate the model and its baselines on published times or move logs."""
    destination = Destination(output, form, others=_PICTURES if compare else ())
    if job is Job.ORDER:
        if compare or crowds:
            raise ValueError("--compare and --crowds are for times; leave out --job order")
        return _on_games(data, destination, kind=kind, jobs=jobs, seed=seed)
    if data is not None:
        raise ValueError("--data is for --job order; times come from the published data sets")
    if crowds:
        if compare:
            raise ValueError("--compare and --crowds are two evaluations: leave one out")
        if kind != "sudoku":
            raise ValueError("--crowds is for sudoku: other puzzles have only one crowd")
        return _on_crowds(destination, jobs=jobs, seed=seed)
    both = ["mean_seconds", "D_TO"]
    targets = {Target.BOTH: both, Target.ALL: [*both, "game_seconds"]}.get(target, [target.value])
    if kind != "sudoku":
        targets = targets[:1]  # the other targets are times of Sudoku
    if compare:
        if kind != "sudoku":
            raise ValueError(
                "--compare is for sudoku: there are no published metrics of other puzzles"
            )
        return _compare(targets, destination, repeats=repeats, seed=seed, jobs=jobs)
    return _on_times(kind, targets, destination, repeats=repeats, seed=seed)


def _parts(total: int) -> AbstractContextManager[Advance]:
    """Return the progress of an evaluation in parts."""
    return progress("evaluated:", to_file=True, total=total, what="parts", stages=True)


def _on_times(
    kind: str, targets: Sequence[str], destination: Destination, *, repeats: int, seed: int
) -> int:
    """Evaluate the default model and the baselines on published times."""
    for_people = destination.is_for_people
    from nando import evaluation
    from nando.rating.training import known_training

    evaluations = []
    announce_compiling()
    with _parts(len(targets)) as advance:
        for target in targets:
            training = known_training(kind, target)
            evaluations.append(
                evaluation.evaluate_default(
                    training, kind, target=target, repeats=repeats, seed=seed
                )
            )
            advance(1)
    if for_people:
        pages = [item.page() for item in evaluations]
        destination.write_pages([*pages, evaluation.published_page(kind)])
    else:
        destination.write_table(
            [row for item in evaluations for row in item.table().to_dict("records")]
        )
    return 0


def _on_crowds(destination: Destination, *, jobs: int | None, seed: int) -> int:
    """Evaluate the model on each crowd in turn, fitted without that crowd."""
    for_people = destination.is_for_people
    from nando.evaluation import evaluate_crowds

    announce_compiling()
    with progress("evaluating crowds", to_file=True, what="", stages=True):
        evaluated = evaluate_crowds(n_jobs=jobs, seed=seed)
    if for_people:
        destination.write_pages([evaluated.page()])
    else:
        destination.write(_METRICS, evaluated.rows())
    return 0


def _compare(
    targets: Sequence[str],
    destination: Destination,
    *,
    repeats: int,
    seed: int,
    jobs: int | None,
) -> int:
    """Compare the model with the published metrics; draw residuals if the output is a picture."""
    picture = destination.path if destination.suffix in _PICTURES else None
    if picture is not None:
        destination = Destination(None, destination.chosen)
    for_people = destination.is_for_people
    from nando import evaluation
    from nando.evaluation import residuals
    from nando.rating import training

    if picture is not None:
        residuals.check_plotting()
    evaluations = []
    announce_compiling()
    with _parts(len(targets)) as advance:
        for target in targets:
            known = training.known_training("sudoku", target)
            evaluations.append(
                evaluation.compare(
                    known.puzzles,
                    known.values,
                    known.players,
                    players=training.players_behind(target, known.puzzles),
                    target=target,
                    repeats=repeats,
                    seed=seed,
                    n_jobs=jobs,
                )
            )
            advance(1)
    if picture is not None:
        from nando.writing import replaced_file

        drawn = residuals.residual_plot(
            [item.evaluation for item in evaluations], picture.suffix.lower()[1:]
        )
        with replaced_file(picture) as file:
            file.write(drawn)
    if for_people:
        pages = [item.page() for item in evaluations]
        destination.write_pages([*pages, evaluation.published_page()])
    else:
        destination.write_table(
            [row for item in evaluations for row in item.table().to_dict("records")]
        )
    return 0


def _on_games(
    data: Path | None, destination: Destination, *, kind: str, jobs: int | None, seed: int
) -> int:
    """Evaluate the prediction of fill orders, and the audit, on honest games."""
    for_people = destination.is_for_people
    games = finished_games(kind, data).games
    from nando.evaluation.audit import evaluate_audit
    from nando.evaluation.orders import evaluate_order
    from nando.evaluation.strangers import LeftOut, evaluate_strangers
    from nando.games.audit import load_auditor

    announce_compiling()
    with _parts(3 if kind == "sudoku" else 2) as advance:
        left_out = LeftOut(games, n_jobs=jobs, seed=seed)
        programs = load_auditor().programs if kind == "sudoku" else []
        parts: list[Any] = [evaluate_strangers(left_out, programs, n_jobs=jobs)]
        advance(1)
        if kind == "sudoku":  # there are no published move times of other puzzles
            parts.append(evaluate_audit(games, left_out, programs, n_jobs=jobs, seed=seed))
            advance(1)
        parts.append(evaluate_order(games, n_jobs=jobs, seed=seed))
        advance(1)
    if for_people:
        destination.write_pages([part.page() for part in parts])
    else:
        destination.write(_METRICS, [row for part in parts for row in part.rows()])
    return 0
