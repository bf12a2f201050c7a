"""Results alone: reading tables of times, and what they show about a player."""

import numpy as np
import pytest
from helpers.command import records, run
from helpers.sampled import only
from helpers.samples.simulated_games import write_rows
from helpers.samples.sudokus import LINE, NINES
from scipy.special import stdtr

from nando.games.evidence import result_times
from nando.games.evidence.result_times import ResultTimes
from nando.games.evidence.results import audit_results
from nando.games.evidence.verdicts import Finding
from nando.games.results import Result, ResultLog, are_results, read_results
from nando.rating import load_model
from nando.rating.fitting import crossed
from nando.rating.pace import LINE_SPREAD


@pytest.fixture(scope="module")
def rated():
    """Puzzles like those that people were timed on, and their predicted seconds."""
    puzzles = NINES
    kept = [rating for rating in load_model().rate(puzzles) if not rating.flags]
    return [rating.puzzle for rating in kept], np.array([rating.predicted for rating in kept])


def honest(rated, seed, factor=1.0):
    noise = np.random.default_rng(seed).normal(0, 0.3, len(rated[0]))
    return factor * rated[1] ** 0.85 * np.exp(noise + 0.9)


def table(rated, **times):
    """Return a table of the times of players, NaN for unsolved puzzles."""
    digits = [int(np.count_nonzero(puzzle.givens == 0)) for puzzle in rated[0]]
    return ResultLog(
        [
            Result(str(line), name, puzzle, float(round(seconds)), n)
            for name, theirs in times.items()
            for line, (puzzle, seconds, n) in enumerate(
                zip(rated[0], theirs, digits, strict=True), 2
            )
            if np.isfinite(seconds)
        ]
    )


def judged(rated, times, **options):
    """Return the audit of a player beside three honest ones."""
    others = {f"honest {seed}": honest(rated, seed) for seed in range(3)}
    audits = audit_results(table(rated, one=times, **others), **options)
    assert all(not audit.finding.accuses for audit in audits if audit.player != "one")
    return next(audit for audit in audits if audit.player == "one")


HONEST = {
    "as others": lambda times: times,
    "slow": lambda times: 4 * times,
    "an expert": lambda times: times / 3,
    "pauses of hours": lambda times: times + 9000 * (np.arange(len(times)) < 2),
    "rounded to minutes": lambda times: 60 * np.maximum(1, np.rint(times / 60)),
    "two people": lambda times: times / (1 + np.arange(len(times)) % 2),
    "one clock for all": np.cumsum,
}


@pytest.mark.parametrize("way", only(["slow", "rounded to minutes"], HONEST))
def test_honest_ways_are_those_of_a_person(rated, way):
    audit = judged(rated, HONEST[way](honest(rated, 9)))
    assert not audit.finding.accuses
    assert audit.finding != Finding.ENTERED
    assert audit.finding == Finding.PERSON or way == "one clock for all"


def test_a_time_too_short_for_a_hand(rated):
    times = honest(rated, 9)
    times[4] = 3.0
    audit = judged(rated, times)
    assert audit.finding == Finding.UNLIKE
    assert audit.verdict == "unlike a person at the 1 in 10,000 level"
    n = int(np.count_nonzero(rated[0][4].givens == 0))
    assert (
        audit.evidence[0]
        == f"line 6: {n} digits in 3 s, for which a hand takes {n / 10:.1f} s at least"
    )


def test_a_table_in_another_unit_accuses_nobody(rated):
    minutes = {name: np.maximum(1, honest(rated, seed) / 60) for seed, name in enumerate("abc")}
    for audit in audit_results(table(rated, **minutes)):
        assert not audit.finding.accuses
        assert audit.finding == Finding.PERSON
        assert "another unit" in audit.notes[-1]


def test_without_a_right_solution_nothing_is_found(rated):
    log = table(rated, ada=honest(rated, 0))
    log.left_out["ben"]["wrong"] = 3
    ben = next(audit for audit in audit_results(log) if audit.player == "ben")
    assert ben.finding == Finding.UNDECIDED
    assert (ben.n_results, ben.p_value, ben.evidence) == (0, 1.0, [])
    assert ben.notes == ["3 wrong or unfinished solutions, not judged"]
    assert audit_results(ResultLog()) == []


def test_solutions_known_before_the_clock_starts_are_no_accusation(rated):
    digits = np.array([np.count_nonzero(puzzle.givens == 0) for puzzle in rated[0]])
    times = np.where(rated[1] > np.median(rated[1]), digits, honest(rated, 9))
    audit = judged(rated, times)
    assert audit.finding == Finding.ENTERED
    assert audit.p_value > 0.5
    n = int(np.count_nonzero(times == digits))
    assert audit.evidence[0].startswith(f"{n} of {len(times)} results take no longer than entering")
    screen = judged(rated, times, on_screen=True)
    assert screen.finding == Finding.OFF_SCREEN
    assert screen.verdict.startswith("not solved on the screen at the 1 in ")


def test_times_that_do_not_follow_difficulty(rated):
    audit = judged(rated, np.random.default_rng(1).uniform(590, 610, len(rated[0])))
    assert audit.finding == Finding.UNLIKE
    assert audit.evidence[0].startswith("the times do not follow difficulty")
    assert audit.correlation < 0.5


def test_what_is_too_little(rated):
    few = judged(rated, np.where(np.arange(len(rated[0])) < 4, honest(rated, 9), np.nan))
    assert few.verdict == "too little to tell: too few results that can be compared"
    assert few.difficulty_p_value is None
    easiest = np.argsort(rated[1])[:6]
    alike = np.full(len(rated[0]), np.nan)
    alike[easiest] = honest(rated, 9)[easiest]
    assert (
        judged(rated, alike).verdict
        == "too little to tell: the puzzles are too alike in difficulty"
    )


def test_each_result_is_predicted_from_all_others(rated):
    log = table(rated, a=honest(rated, 0), b=honest(rated, 1, 2.0)).results
    predicted = np.log([*rated[1], *rated[1]])
    times = ResultTimes.of(log, predicted)
    n, middle = len(rated[0]), predicted.mean()
    player, puzzle = np.repeat([0, 1], n), np.tile(np.arange(n), 2)
    line = crossed.Line(middle, *(spread**-2 for spread in LINE_SPREAD))
    games = crossed.Games(player, puzzle, predicted - middle, times.log_seconds, 2, n, line)
    weight = crossed.game_weights(games, np.ones(2 * n), crossed.GUESS, result_times.DOF)
    for i in (0, n, 2 * n - 1):
        rest = np.arange(2 * n) != i
        others = crossed.Games(*(column[rest] for column in games[:4]), 2, n, line)
        posterior = crossed.Posterior(others, weight[rest], crossed.GUESS)
        row = games.design[[i]]
        assert times.expected[i] == pytest.approx((row @ posterior.mean)[0], abs=1e-6)
        sd = np.sqrt(posterior.variance(row)[0] + crossed.GUESS.noise)
        residual = times.log_seconds[i] - times.expected[i]
        assert times.below[i] == pytest.approx(stdtr(result_times.DOF, residual / sd), rel=0.2)


@pytest.mark.thorough
def test_honest_times_are_rarely_called_flat(rated):
    rng = np.random.default_rng(2)
    z = np.log(rated[1])[:12]
    p_values = []
    for _ in range(200):
        times = rng.uniform(0.4, 1.2) * z + result_times.SCATTER * rng.standard_t(4, len(z)) + 1.0
        p_values.append(result_times._measure_following(z, times, 1, seed=0)[1])
    assert np.mean(np.array(p_values) <= 0.05) <= 0.08
    assert 0.4 < np.mean(p_values) < 0.6


def test_a_table_is_read(tmp_path):
    path = tmp_path / "results.csv"
    rows = [
        *("Player;Puzzle;Minutes;Correct;digits", f"ada;{LINE};3,5;yes;", f"ben;{LINE};4:30;1;9"),
        *(f"eva;{LINE};;0;", f"ada;{LINE};2;1;", f"kim;{LINE};5;maybe;", f";{LINE};5;1;"),
        *("lea;123;5;1;", f"lea;{LINE};1:xx;1;", "", f"lea;{LINE};1:02:03;right;"),
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert are_results(path)
    log = read_results(path)
    assert [(one.line, one.player, one.seconds, one.n_digits) for one in log.results] == [
        ("2", "ada", 210.0, 51),
        ("3", "ben", 270.0, 9),
        ("11", "lea", 3723.0, 51),
    ]
    assert log.left_out == {"eva": {"wrong": 1}, "ada": {"again": 1}}
    assert [problem.split(":")[0] for problem in log.problems] == [
        f"line {n}" for n in (6, 7, 8, 9)
    ]
    assert "correct must be 1 or 0, got 'maybe'" in log.problems[0]
    assert "a time such as 4:32, got '1:xx'" in log.problems[3]


def test_what_is_no_table_of_results(tmp_path, request):
    assert not are_results(request.config.rootpath / "examples" / "games.csv")
    assert not are_results(tmp_path)
    path = tmp_path / "a.csv"
    path.write_text("player,seconds\nada,3\n", encoding="utf-8")
    assert not are_results(path)
    with pytest.raises(
        ValueError, match="wanted the columns player, puzzle and seconds; there are"
    ):
        read_results(path)


def test_the_command(tmp_path, rated):
    times = np.full(len(rated[0]), 3.0)
    log = table(rated, **{f"honest {seed}": honest(rated, seed) for seed in range(3)}, pasted=times)
    rows = [
        {"player": one.player, "puzzle": one.puzzle.text, "seconds": one.seconds}
        for one in log.results
    ]
    path = write_rows(tmp_path / "results.csv", rows)
    first, *others = records("audit", path)
    assert first["player"] == "pasted"
    assert {row["finding"] for row in others} == {"person"}
    german = run("audit", path, "--language", "de")
    assert "nicht wie ein Mensch auf dem Niveau 1 zu 10.000" in german.stdout
    assert "1 von 4 haben Ergebnisse" in german.stderr
    assert "zeigen nicht, wer eine Lösung gefunden hat" in " ".join(german.stderr.split())
    with path.open("a", encoding="utf-8") as file:
        file.write("ada,,3\n")
    assert run("audit", path).exit_code == 1
