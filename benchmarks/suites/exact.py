"""The exact solver: easy, minimal and the hardest puzzles, and larger grids."""

from common import easy_minimal_hard, larger

from nando.solvers import count_many, count_solutions, solve


class NineByNine:
    """Counts up to two solutions: a proof that the first is the only one."""

    params = ["easy", "minimal", "hardest"]
    param_names = ["puzzles"]
    n = 50

    def setup_cache(self):
        return easy_minimal_hard(self.n)

    def setup(self, puzzles, kind):
        self.puzzles = puzzles[kind]
        assert (count_many(self.puzzles) == 1).all()

    def time_count_many(self, puzzles, kind):
        count_many(self.puzzles)

    def time_one_by_one(self, puzzles, kind):
        for puzzle in self.puzzles:
            count_solutions(puzzle)


class Larger:
    params = [4, 5]
    param_names = ["order"]

    def setup(self, order):
        self.puzzles = larger(order, 5)
        solve(self.puzzles[0])

    def time_solve(self, order):
        for puzzle in self.puzzles:
            solve(puzzle)
