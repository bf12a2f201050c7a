"""The command `evaluate`."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Literal

from nando import evaluation
from nando.cli.options import Form, Job, Jobs, KindOfData, Output
from nando.cli.output import Destination, Layout, columns_of
from nando.cli.progress import announce_compiling, progress
from nando.cli.reading import report_games
from nando.records import between, setting

_PICTURES = (".svg", ".png")


_TARGETS = {
    "both": ["mean_seconds", "D_TO"],
    "all": ["mean_seconds", "D_TO", "game_seconds"],
}


def evaluate(
    target: Literal["mean_seconds", "D_TO", "both", "game_seconds", "all"] = setting(
        "mean_seconds", about="Times to predict."
    ),
    repeats: int = setting(5, between(1), about="Repeats of the cross-validation."),
    compare: bool = setting(
        False,
        about="Compare with every published metric, with a learning curve and the ceiling set "
        "by noise; -o FILE.svg or .png draws residuals.",
    ),
    crowds: bool = setting(
        False, about="Leave out each published crowd in turn: the accuracy for unknown players."
    ),
    job: Job = "time",
    data: Path | None = setting(
        None,
        about="With --job order: a log of honest games; default: Sudoku Insight.",
        metavar="FILE",
    ),
    output: Output = None,
    form: Form = None,
    jobs: Jobs = None,
    seed: int = setting(0, between(0), about="Seed of the folds."),
    kind: KindOfData = "sudoku",
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
    parts: list[Callable[[], evaluation.Report]]
    if job == "order":
        parts = _on_games(kind, data, jobs=jobs, seed=seed)
    elif crowds:
        parts = [partial(evaluation.evaluate_crowds, n_jobs=jobs, seed=seed)]
    elif kind == "variant":
        parts = [partial(evaluation.evaluate_variants, n_jobs=jobs, seed=seed)]
    else:
        on_times = partial(_on_times, kind, repeats=repeats, seed=seed, jobs=jobs, compare=compare)
        parts = [partial(on_times, each) for each in targets]
    announce_compiling()
    reports = []
    n_parts = len(parts)
    with progress("evaluated:", to_file=True, total=n_parts, unit="parts", stages=True) as advance:
        for part in parts:
            reports.append(part())
            advance(1)
    if picture is not None:
        _draw_residuals(dict(zip(targets, reports, strict=True)), picture)
    if destination.is_for_people:
        pages = [report.page() for report in reports]
        is_published = job == "time" and not crowds
        destination.write_pages(
            [*pages, evaluation.published_page(kind)] if is_published else pages
        )
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


def _on_times(
    kind: str, target: str, *, repeats: int, seed: int, jobs: int | None, compare: bool
) -> "evaluation.Report":
    """Evaluate the model and its baselines, or all published metrics, on published times."""
    from nando.rating.fitting.training import known_training, players_behind

    known = known_training(kind, target)
    if not compare:
        return evaluation.evaluate_default(known, kind, target=target, repeats=repeats, seed=seed)
    return evaluation.evaluate(
        known.puzzles,
        known.values,
        known.players,
        players=players_behind(target, known.puzzles),
        target=target,
        models=evaluation.COMPARED,
        learning=True,
        repeats=repeats,
        seed=seed,
        n_jobs=jobs,
    )


def _on_games(
    kind: str, log: Path | None, *, jobs: int | None, seed: int
) -> list[Callable[[], "evaluation.Report"]]:
    """Return the evaluations of fill orders, and of the audit, on honest games."""
    from nando import evaluation
    from nando.games import load_auditor
    from nando.games.training import honest_games

    honest = honest_games(kind, log)
    report_games(honest.problems)
    games = honest.games
    programs = load_auditor().programs if kind == "sudoku" else []
    without = cache(partial(evaluation.WithoutPlayer, games, n_jobs=jobs, seed=seed))
    parts: list[Callable[[], evaluation.Report]] = [
        lambda: evaluation.evaluate_strangers(without(), programs, n_jobs=jobs),
        lambda: evaluation.evaluate_in_turn(without(), n_jobs=jobs, seed=seed),
        lambda: evaluation.evaluate_audit(games, without(), programs, n_jobs=jobs, seed=seed),
        lambda: evaluation.evaluate_order(games, n_jobs=jobs, seed=seed),
    ]
    if kind != "sudoku":  # there are no published move times of other puzzles
        del parts[2]
    return parts


def _draw_residuals(reports: "Mapping[str, evaluation.Report]", picture: Path) -> None:
    from nando.evaluation.times import residual_plot
    from nando.writing import write_file

    write_file(picture, residual_plot(reports, picture.suffix.lower()[1:]))
