"""How well an audit tells adversaries from a person, and whether its error rate is what it says.

The log is cut into periods. Each in turn is held out: models are fitted to the others and
calibrated on them, and the held-out honest games are judged beside the games adversaries would
have logged on the same puzzles. When an adversary is judged, the programs of its family are left
out of the audit, which has then never heard of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.games.adversaries import ADVERSARIES, Adversary
from nando.games.audit import Auditor, combined_p_value, periods
from nando.games.evidence import LENGTHS, WHOLE, Reading, calibrated, statistics_of
from nando.games.log import Game
from nando.games.orders import PROGRAMS

FALSE_POSITIVES = (0.01, 0.001)
COMBINED = (5, 10)
"""Games of one player in a row that are judged together."""

NOTE = (
    "One experienced player's log: this says nothing of people in general. Calibrate on your own "
    "honest games with nando fit --job order."
)
_JUDGED = (*LENGTHS[:3], WHOLE)


@dataclass(frozen=True)
class Detection:
    """How one adversary fares at one length.

    Attributes
    ----------
    adversary, family : str
    length : int
        Fills, 0 for whole games.
    auc : float
        Area under the ROC curve against held-out honest games.
    detected : dict of float to float
        Share detected at each share of false positives among the held-out honest games.
    flagged : float
        Share with a p-value of at most 0.01.
    """

    adversary: str
    family: str
    length: int
    auc: float
    detected: Mapping[float, float]
    flagged: float


@dataclass(frozen=True)
class AuditEvaluation:
    """What an audit is worth.

    Attributes
    ----------
    n_games : int
        Honest games, each judged by models that never saw its period.
    n_adversarial : int
        Games of each adversary.
    p_values : dict of int to ndarray
        Of honest games, by length.
    detections : list of Detection
    combined : dict of int to float
        Share of blocks of so many honest games in a row with a combined p-value of at most 0.01.
    """

    n_games: int
    n_adversarial: int
    p_values: Mapping[int, NDArray[np.float64]]
    detections: Sequence[Detection]
    combined: Mapping[int, float]

    def uniformity(self, length: int = WHOLE) -> tuple[float, float]:
        """Kolmogorov-Smirnov distance of honest p-values from uniform, and its p-value."""
        from scipy.stats import kstest

        found = kstest(self.p_values[length], "uniform")
        return float(found.statistic), float(found.pvalue)

    def calibration(self, length: int = WHOLE) -> dict[float, float]:
        """Share of honest games at or below each nominal level: a calibration plot's points."""
        p_values = self.p_values[length]
        levels = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
        return {level: float((p_values <= level).mean()) for level in levels}

    def rows(self) -> list[dict[str, Any]]:
        """One row per adversary, length and measure, and the calibration of honest games."""
        rows = []

        def add(subject: str, length: int, metric: str, value: float) -> None:
            rows.append(
                {
                    "part": f"audit, {_named(length)}",
                    "subject": subject,
                    "metric": metric,
                    "value": value,
                    "low_95": None,
                    "high_95": None,
                }
            )

        for d in self.detections:
            add(d.adversary, d.length, "AUC", d.auc)
            for rate, share in d.detected.items():
                add(d.adversary, d.length, f"detected at {rate:g} false positives", share)
            add(d.adversary, d.length, "flagged at p = 0.01", d.flagged)
        for length in self.p_values:
            add("honest", length, "Kolmogorov-Smirnov distance", self.uniformity(length)[0])
            add("honest", length, "Kolmogorov-Smirnov p-value", self.uniformity(length)[1])
            for level, share in self.calibration(length).items():
                add("honest", length, f"share with p <= {level:g}", share)
        for count, share in self.combined.items():
            add(f"honest, {count} games", WHOLE, "share with p <= 0.01", share)
        return rows

    def page(self) -> str:
        """Everything for people."""
        lines = [
            f"Audit: {self.n_games:,} held-out honest games, {self.n_adversarial:,} of each "
            "adversary; its family is left out of the audit",
            f"{'':24}" + "".join(f"{_named(length):>24}" for length in _JUDGED),
            f"{'':24}" + f"{'AUC    1 %  0.1 %':>24}" * len(_JUDGED),
        ]
        for name in dict.fromkeys(d.adversary for d in self.detections):
            cells = ""
            for length in _JUDGED:
                (d,) = (d for d in self.detections if (d.adversary, d.length) == (name, length))
                shares = "".join(f"{share:7.1%}" for share in d.detected.values())
                cells += f"{f'{d.auc:.3f}{shares}':>24}"
            lines.append(f"{name:24}{cells}")
        lines += ["", "Honest games: uniformity of p-values, and share at or below a level"]
        for length in _JUDGED:
            distance, chance = self.uniformity(length)
            usual = self.calibration(length)
            shown = ", ".join(f"{level:g}: {usual[level]:.3f}" for level in (0.001, 0.01, 0.05))
            lines.append(
                f"  {_named(length):10}  Kolmogorov-Smirnov {distance:.3f} (p = {chance:.2g}); "
                f"share with p up to {shown}"
            )
        for count, share in self.combined.items():
            lines.append(f"  {count} games in a row, combined: {share:.3f} at or below 0.01")
        return "\n".join([*lines, "", NOTE])


def _named(length: int) -> str:
    return f"{length} fills" if length else "whole game"


def evaluate_audit(
    games: Sequence[Game],
    *,
    adversaries: Mapping[str, Adversary] | None = None,
    n_games: int = 150,
    n_periods: int = 3,
    n_jobs: int | None = None,
    seed: int = 0,
) -> AuditEvaluation:
    """Judge held-out honest games, and adversaries.

    Parameters
    ----------
    games : sequence of Game
        Honest ones, in the order in which they were played; unfinished ones are left out.
    adversaries : mapping of str to Adversary or None
        None takes all.
    n_games : int
        Games of each adversary, over all periods.
    n_periods : int
        Periods of the log, each held out once.
    n_jobs : int or None
        Threads; never changes a result.
    seed : int

    Raises
    ------
    ValueError
        For fewer than 40 finished games outside a period.
    """
    games = [game for game in games if game.finished and len(game.cells) >= LENGTHS[0]]
    adversaries = ADVERSARIES if adversaries is None else adversaries
    honest: dict[tuple[str, int], list[NDArray[np.float64]]] = {}
    false: dict[tuple[str, int], list[NDArray[np.float64]]] = {}
    p_values: dict[int, list[NDArray[np.float64]]] = {length: [] for length in _JUDGED}
    flagged: dict[tuple[str, int], list[NDArray[np.bool_]]] = {}
    rng = np.random.default_rng(seed)
    for held_out in periods(len(games), n_periods):
        rest = [game for i, game in enumerate(games) if i not in held_out]
        test = [games[i] for i in held_out]
        auditor = Auditor.fitted(rest)
        known = Auditor.held_out_readings(rest, n_periods=2, n_jobs=n_jobs)
        read = auditor.read(test, n_jobs=n_jobs)
        chosen = rng.permutation(len(test))[: max(1, n_games // n_periods)]
        for name, adversary in adversaries.items():
            made = [adversary.make(test[i], rng) for i in chosen]
            judged = auditor.read(made, n_jobs=n_jobs)
            programs = [
                key for key, program in PROGRAMS.items() if program.family != adversary.family
            ]
            for length, calibration in calibrated(known, auditor.times, programs, _JUDGED).items():
                key = name, length
                score = calibration.score(_statistics(judged, auditor, length, programs))
                honest.setdefault(key, []).append(
                    calibration.score(_statistics(read, auditor, length, programs))
                )
                false.setdefault(key, []).append(score)
                flagged.setdefault(key, []).append(calibration.p_value(score) <= 0.01)
        for length, calibration in calibrated(known, auditor.times, None, _JUDGED).items():
            score = calibration.score(_statistics(read, auditor, length, None))
            p_values[length].append(calibration.p_value(score))
    joined = {length: np.concatenate(parts) for length, parts in p_values.items()}
    return AuditEvaluation(
        len(games),
        sum(len(part) for part in next(iter(false.values()), [])),
        joined,
        [
            _detection(
                name,
                adversaries[name].family,
                length,
                np.concatenate(honest[name, length]),
                np.concatenate(false[name, length]),
                np.concatenate(flagged[name, length]),
            )
            for name, length in false
        ],
        {count: _combined(p_values[WHOLE], count) for count in COMBINED},
    )


def _statistics(
    readings: Sequence[Reading], auditor: Auditor, length: int, programs: list[str] | None
) -> NDArray[np.float64]:
    fitting = [r for r in readings if len(r.game.cells) >= length]
    return np.array([statistics_of(r, auditor.times, length, programs) for r in fitting])


def _detection(
    name: str,
    family: str,
    length: int,
    honest: NDArray[np.float64],
    false: NDArray[np.float64],
    flagged: NDArray[np.bool_],
) -> Detection:
    ordered = np.sort(honest)
    below = np.searchsorted(ordered, false, side="left")
    ties = np.searchsorted(ordered, false, side="right") - below
    auc = float(((below + ties / 2) / len(ordered)).mean())
    detected = {}
    for rate in FALSE_POSITIVES:
        allowed = int(rate * len(ordered))
        threshold = ordered[len(ordered) - 1 - allowed]
        detected[rate] = float((false > threshold).mean())
    return Detection(name, family, length, auc, detected, float(flagged.mean()))


def _combined(parts: Sequence[NDArray[np.float64]], count: int) -> float:
    """Share of blocks of consecutive honest games that are flagged together."""
    found = [
        combined_p_value(part[i : i + count]) <= 0.01
        for part in parts
        for i in range(0, len(part) - count + 1, count)
    ]
    return float(np.mean(found)) if found else float("nan")
