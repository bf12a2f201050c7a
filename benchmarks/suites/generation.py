"""Making puzzles: minimal ones, and to a predicted time."""

import time

import numpy as np

from nando.generators import Known, NurikabeSource, SudokuSource, Target, Wishes, generate
from nando.making import Maker
from nando.rating import Bank, Ladder, load_model
from nando.solvers import count_many
from nando.solvers.protocol import spawned


class Minimal:
    def setup(self):
        self.time_minimal()

    def time_minimal(self):
        generated = list(generate(SudokuSource(minimal=True), 50, seed=1))
        assert (count_many([each.puzzle for each in generated]) == 1).all()


class ToATime:
    params = [10, 50, 90]
    param_names = ["percentile"]

    def setup(self, percentile):
        rater = load_model()
        aim = rater.log_seconds_at(percentile)
        low, high = aim + np.log1p(-0.1), aim + np.log1p(0.1)
        self.target = Target(low, high, Ladder(Bank(rater)))
        self.time_generate(percentile)

    def time_generate(self, percentile):
        assert len(list(generate(SudokuSource(), 3, target=self.target, seed=percentile))) == 3


class ToATechnique:
    params = [
        ("X-wing", None),
        ("naked triplet", None),
        ("swordfish", None),
        ("unique rectangle", None),
        ("W-wing", "hodoku"),
    ]
    param_names = ["technique, order"]

    def setup(self, technique):
        needs, order = technique
        self.wishes = Wishes(needs=needs, order=order)
        self.time_generate(technique)

    def time_generate(self, technique):
        assert len(list(Maker(None, seed=1).make(self.wishes, range(5), Known()))) == 5


class Nurikabe:
    """Boards with one solution, by side and mean size of the islands."""

    params = [(5, 2), (5, 3), (7, 2), (7, 3), (10, 3), (12, 3), (15, 3), (20, 3)]
    param_names = ["side, mean size"]
    seconds = 5.0

    def setup(self, board):
        side, mean_size = board
        self.source = NurikabeSource((side, side), mean_size=mean_size)
        self.source.draw(np.random.default_rng(0))

    def track_rate(self, board):
        start, n_made, n_drawn = time.process_time(), 0, 0
        while time.process_time() - start < self.seconds:
            n_made += self.source.draw(spawned(0, n_drawn)) is not None
            n_drawn += 1
        return n_made / (time.process_time() - start)

    track_rate.unit = "puzzles a second"
