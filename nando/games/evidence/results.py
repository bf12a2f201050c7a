"""Judge players by their results alone: the times of their right solutions.

Three questions are asked about each player. Is a time too short for a hand to enter the digits? Is
it too short for the pace of the player's other results? Do the times follow difficulty at all? The
last two are answered by p-values, which are stated for honest people of nearly any habits. They are
answered twice: a result that takes no longer than entering a finished solution may have been solved
on paper, so only the other results speak against a person.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import cores, whole
from nando.games.evidence.result_times import WORTH_TELLING, Answer, ResultTimes
from nando.games.evidence.verdicts import Finding, Verdict, check_level, p_value_of, verdicts_of
from nando.games.results import Result, ResultLog
from nando.games.said import Said, join, say, say_counted, translate
from nando.puzzles import Sudoku
from nando.rating import load_model
from nando.rating.model import Rater


@dataclass(frozen=True)
class ResultAudit:
    """The audit of a player's results.

    Attributes
    ----------
    player : str
    n_results : int
        Number of right solutions.
    p_value : float
        Probability that an honest person, on the screen or on paper, has such results, or results
        that are less like a person's.
    entered_p_value : float
        The same for somebody whose clock starts before the puzzle is solved.
    pace_p_value, difficulty_p_value : float or None
        Its two parts, by the pace and by the difficulty; None if the results are too few.
    correlation : float or None
        Rank correlation of the times with the predicted times.
    finding : Finding
    verdict : str
        The finding in words.
    evidence, notes : list of str
    """

    player: str
    n_results: int
    p_value: float
    entered_p_value: float
    pace_p_value: float | None
    difficulty_p_value: float | None
    correlation: float | None
    finding: Finding
    verdict: str
    evidence: list[str]
    notes: list[str]

    def row(self, language: str = "en") -> dict[str, Any]:
        """Return the audit as a row of a table, its sentences in a language."""
        return {
            "player": self.player,
            "results": self.n_results,
            "finding": str(self.finding),
            "p_value": self.p_value,
            "entered_p_value": self.entered_p_value,
            "pace_p_value": self.pace_p_value,
            "difficulty_p_value": self.difficulty_p_value,
            "correlation": None if self.correlation is None else round(self.correlation, 3),
            "verdict": translate(self.verdict, language),
            "evidence": join(self.evidence, language),
            "notes": join(self.notes, language),
        }


def audit_results(
    log: ResultLog,
    *,
    level: float = 0.01,
    on_screen: bool = False,
    model: Rater | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
) -> list[ResultAudit]:
    """Judge the players of a table of results together.

    Parameters
    ----------
    log : ResultLog
    level : float
        Largest expected share of honest players among those called unlike a person.
    on_screen : bool
        Whether the rules say that puzzles are solved on the screen, while the clock runs.
    model : Rater or None
        The model of Sudoku that predicts times; None takes the shipped one.
    seed : int
        Seed of the simulated honest players.
    n_jobs : int or None
        Threads; never changes a result.

    Returns
    -------
    list of ResultAudit
        The strongest evidence against a person first.

    Raises
    ------
    ValueError
        If the level is not between 0 and 1, or is below 0.0001.

    Notes
    -----
    The pace comes from the model of persons, fitted to all players, so that a puzzle that is easier
    than predicted is easier for everybody. Each time is compared with the prediction from all other
    results, by a Student t whose scale is that of people, or the player's own if it is larger; the
    smallest p-value is multiplied by the number of results. The p-value of the difficulty is the
    share of simulated honest players whose times follow it even less. A player's p-value is the
    smallest, multiplied by the number of questions, and the procedure of Benjamini and Hochberg
    controls the share of false accusations among the players.
    """
    check_level(level)
    whole("seed", seed, 0)
    cores(n_jobs)
    times = ResultTimes.of(log.results, _predict(log.results, model, n_jobs))
    surely_solved = times.without(times.is_quick)
    players: dict[str, list[int]] = {name: [] for name in log.left_out}
    for i, one in enumerate(log.results):
        players.setdefault(one.player, []).append(i)
    judged = []
    for name, results in players.items():
        own = np.array(results, np.intp)
        n_quick = int(times.is_quick[own].sum())
        against = [*times.hand(own), *surely_solved.answers(own, seed)]
        entered = list(times.answers(own, seed)) if n_quick else against
        notes: list[str] = list(_notes(log.left_out.get(name, Counter()), times, own))
        judged.append(_Judged(name, len(own), against, entered, n_quick, notes))
    odds = -np.log([[_joint(one.against), _joint(one.entered)] for one in judged]).reshape(-1, 2)
    verdicts = verdicts_of(
        odds[:, 0],
        odds[:, 1],
        level,
        may_be_entered=[one.n_quick > 0 for one in judged],
        on_screen=on_screen,
        of="players",
    )
    order = np.lexsort((-odds[:, 1], -odds[:, 0]))
    return [judged[i].audit(*odds[i].tolist(), verdicts[i]) for i in order]


def _joint(answers: Sequence[Answer]) -> float:
    """Return the p-value of several questions together; 1 without any."""
    return min([1.0, *(len(answers) * one.p_value for one in answers)])


def _evidence(answers: Sequence[Answer]) -> list[str]:
    """Return the sentences of the answers that are worth telling, the strongest first."""
    weighty = [one for one in answers if len(answers) * one.p_value <= WORTH_TELLING]
    return [text for one in sorted(weighty, key=attrgetter("p_value")) for text in one.evidence]


class _Judged(NamedTuple):
    """The answers about a player: against a person, and against solving while the clock runs."""

    player: str
    n_results: int
    against: list[Answer]
    entered: list[Answer]
    n_quick: int
    notes: list[str]

    def audit(self, log_odds: float, entered_odds: float, verdict: Verdict) -> ResultAudit:
        """Return the audit, given the verdict among all players."""
        answers = {one.question: one for one in self.entered}
        pace, difficulty = answers.get("pace"), answers.get("difficulty")
        finding, words = verdict
        if finding == Finding.PERSON and (difficulty is None or difficulty.unclear):
            why = say("results.few") if difficulty is None else difficulty.unclear
            finding, words = Finding.UNDECIDED, say("verdict.unjudged", why=why)
        evidence, entering = _evidence(self.against), _evidence(self.entered)
        if self.n_quick and entering:
            quick = say_counted("results.quick", self.n_quick, all=self.n_results)
            evidence = [*dict.fromkeys((*evidence, quick, *entering))]
        return ResultAudit(
            self.player,
            self.n_results,
            p_value_of(log_odds),
            p_value_of(entered_odds),
            None if pace is None else pace.p_value,
            None if difficulty is None else difficulty.p_value,
            None if difficulty is None else difficulty.correlation,
            finding,
            words,
            evidence,
            self.notes,
        )


def _predict(results: Sequence[Result], model: Rater | None, n_jobs: int | None) -> Floats:
    """Return predicted log seconds; NaN for puzzles unlike those that people were timed on."""
    of_puzzle = dict.fromkeys((one.puzzle for one in results), np.nan)
    sudokus = [puzzle for puzzle in of_puzzle if isinstance(puzzle, Sudoku)]
    if sudokus:
        rated = (model or load_model()).rate(sudokus, n_jobs=n_jobs)
        seconds = [np.nan if rating.flag_codes else rating.predicted for rating in rated]
        of_puzzle.update(zip(sudokus, np.log(seconds).tolist(), strict=True))
    return np.array([of_puzzle[one.puzzle] for one in results])


def _notes(left_out: Counter[str], times: ResultTimes, own: NDArray[np.intp]) -> Iterator[Said]:
    """Yield sentences on results that are not judged, or not by their times."""
    for name in ("wrong", "again"):
        if left_out[name]:
            yield say_counted(f"results.{name}", left_out[name])
    n_untimed = len(own) - len(times.compare(own))
    if n_untimed:
        yield say_counted("results.untimed", n_untimed)
    if len(own) and times.is_other_unit:
        yield say("results.unit")
