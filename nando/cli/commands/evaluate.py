"""The command `evaluate`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nando.cli.options import Form, Job, Jobs, Output
from nando.cli.output import Destination, Layout, columns_of
from nando.cli.progress import announce_compiling, progress
from nando.cli.reading import report_games

if TYPE_CHECKING:
    from nando.evaluation import Report
    from nando.games import Game

_PICTURES = (".svg", ".png")


_TARGETS = {
    "both": ["mean_seconds", "D_TO"],
    "all": ["mean_seconds", "D_TO", "game_seconds"],
}


def evaluate(
    target: Annotated[
        Literal["mean_seconds", "D_TO", "both", "game_seconds", "all"],
        typer.Option(help="Times to predict."),
    ] = "mean_seconds",
    repeats: Annotated[int, typer.Option(min=1, help="Repeats of the cross-validation.")] = 5,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Compare with every published metric, with a learning curve and the ceiling set "
            "by noise; -o FILE.svg or .png draws residuals.",
        ),
    ] = False,
    crowds: Annotated[
        bool,
        typer.Option(
            "--crowds",
            help="Leave out each published crowd in turn: the accuracy for unknown players.",
        ),
    ] = False,
    job: Job = "time",
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
    kind: Annotated[
        str,
        typer.Option("--kind", help="Kind of puzzle: sudoku, nurikabe or variant."),
    ] = "sudoku",
) -> int:
    """Cross-validate the model and its baselines on published times or move logs."""
    _check(job, kind, data, compare=compare, crowds=crowds)
    destination = Destination(output, form, others=_PICTURES if compare else ())
    picture = output if destination.suffix in _PICTURES and compare else None
    if picture is not None:
        from nando.drawing.png import check_png

        destination = Destination(None, form)
        check_png("a residual plot", "write a table")
    # The other targets are times of Sudoku.
    targets = _TARGETS.get(target, [target])[: None if kind == "sudoku" else 1]
    of_times = job == "time" and not crowds
    total = len(targets)
    if job == "order":
        total = 4 if kind == "sudoku" else 3
        parts = _on_games(_read_games(kind, data), kind, jobs=jobs, seed=seed)
    elif crowds:
        total, parts = 1, _on_crowds(jobs=jobs, seed=seed)
    elif kind == "variant":
        total, parts = 1, _on_variants(jobs=jobs, seed=seed)
    elif compare:
        parts = _comparisons(targets, repeats=repeats, seed=seed, jobs=jobs)
    else:
        parts = _on_times(kind, targets, repeats=repeats, seed=seed)
    announce_compiling()
    reports = []
    with progress("evaluated:", to_file=True, total=total, unit="parts", stages=True) as advance:
        for report in parts:
            reports.append(report)
            advance(1)
    if picture is not None:
        _draw_residuals(dict(zip(targets, reports, strict=True)), picture)
    if destination.is_for_people:
        from nando.evaluation import published_page

        pages = [report.page() for report in reports]
        destination.write_pages([*pages, published_page(kind)] if of_times else pages)
    else:
        rows = [row for report in reports for row in report.rows]
        destination.write(Layout(columns_of("evaluate")), rows)
    return 0


def _check(job: Job, kind: str, data: Path | None, *, compare: bool, crowds: bool) -> None:
    """Raise ValueError for options that contradict each other."""
    if job == "order":
        if compare or crowds:
            raise ValueError("--compare and --crowds are for times; leave out --job order")
        return
    if data is not None:
        raise ValueError("--data is for --job order; times come from the published data sets")
    if crowds and compare:
        raise ValueError("--compare and --crowds are two evaluations: leave one out")
    if crowds and kind != "sudoku":
        raise ValueError("--crowds is for sudoku: other puzzles have only one crowd")
    if compare and kind != "sudoku":
        raise ValueError("--compare is for sudoku: there are no published metrics of other puzzles")


def _on_times(kind: str, targets: Sequence[str], *, repeats: int, seed: int) -> Iterator["Report"]:
    """Evaluate the default model and the baselines on published times."""
    from nando.evaluation import evaluate_default
    from nando.rating.fitting.training import known_training

    for target in targets:
        training = known_training(kind, target)
        yield evaluate_default(training, kind, target=target, repeats=repeats, seed=seed)


def _on_crowds(*, jobs: int | None, seed: int) -> Iterator["Report"]:
    """Evaluate the model on each crowd in turn, fitted without that crowd."""
    from nando.evaluation import evaluate_crowds

    yield evaluate_crowds(n_jobs=jobs, seed=seed)


def _on_variants(*, jobs: int | None, seed: int) -> Iterator["Report"]:
    """Evaluate the model of variants on levels, and on the games of each rule left out."""
    from nando.evaluation import evaluate_variants

    yield evaluate_variants(n_jobs=jobs, seed=seed)


def _comparisons(
    targets: Sequence[str], *, repeats: int, seed: int, jobs: int | None
) -> Iterator["Report"]:
    """Compare the model with the published metrics."""
    from nando.evaluation import COMPARED, evaluate
    from nando.rating.fitting.training import known_training, players_behind

    for target in targets:
        known = known_training("sudoku", target)
        yield evaluate(
            known.puzzles,
            known.values,
            known.players,
            players=players_behind(target, known.puzzles),
            target=target,
            models=COMPARED,
            learning=True,
            repeats=repeats,
            seed=seed,
            n_jobs=jobs,
        )


def _read_games(kind: str, log: Path | None) -> "list[Game]":
    """Return honest games, and report the lines of a log that cannot be read."""
    from nando.games.training import honest_games

    honest = honest_games(kind, log)
    report_games(honest.problems)
    return honest.games


def _on_games(games: "list[Game]", kind: str, *, jobs: int | None, seed: int) -> Iterator["Report"]:
    """Evaluate the prediction of fill orders, and the audit, on honest games."""
    from nando.evaluation.audit import evaluate_audit
    from nando.evaluation.orders import evaluate_order
    from nando.evaluation.strangers import WithoutPlayer, evaluate_in_turn, evaluate_strangers
    from nando.games.audit import load_auditor

    without = WithoutPlayer(games, n_jobs=jobs, seed=seed)
    programs = load_auditor().programs if kind == "sudoku" else []
    yield evaluate_strangers(without, programs, n_jobs=jobs)
    yield evaluate_in_turn(without, n_jobs=jobs, seed=seed)
    if kind == "sudoku":  # there are no published move times of other puzzles
        yield evaluate_audit(games, without, programs, n_jobs=jobs, seed=seed)
    yield evaluate_order(games, n_jobs=jobs, seed=seed)


def _draw_residuals(reports: "Mapping[str, Report]", picture: Path) -> None:
    from nando.evaluation.times import residual_plot
    from nando.writing import write_file

    write_file(picture, residual_plot(reports, picture.suffix.lower()[1:]))
