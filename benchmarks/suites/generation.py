"""Making puzzles: minimal ones, and to a predicted time."""

import numpy as np

from nando.generators import SudokuSource, Target, generate
from nando.rating import Bank, Ladder, load_model
from nando.solvers import count_many


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
