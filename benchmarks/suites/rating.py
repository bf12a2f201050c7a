"""Features of each group on by default, and ratings."""

import os
import tempfile

from common import command_seconds, easy_minimal_hard

from nando.features import SolverFeatures, default_groups
from nando.puzzles import Sudoku
from nando.rating import load_model
from nando.solvers import status

N = 20


class Features:
    params = [list(default_groups("sudoku")), ["easy", "minimal"]]
    param_names = ["group", "puzzles"]

    def setup_cache(self):
        return easy_minimal_hard(N)

    def setup(self, puzzles, group, kind):
        self.puzzles = puzzles[kind]
        self.features = SolverFeatures(groups=[group])
        self.features.transform(self.puzzles)

    def time_features(self, puzzles, group, kind):
        self.features.transform(self.puzzles)


class Rating:
    params = ["easy", "minimal", "hardest"]
    param_names = ["puzzles"]

    def setup_cache(self):
        return easy_minimal_hard(N)

    def setup(self, puzzles, kind):
        self.texts = [puzzle.text for puzzle in puzzles[kind]]
        self.rater = load_model()
        self.time_parse_check_rate(puzzles, kind)

    def time_parse_check_rate(self, puzzles, kind):
        puzzles = [Sudoku(text) for text in self.texts]
        assert all(status(puzzle).valid for puzzle in puzzles)
        self.rater.rate(puzzles)


class Command:
    """`nando rate` with kernels on disk, start of Python included."""

    timeout = 300

    def setup(self):
        self.puzzles = easy_minimal_hard(10)["easy"]
        self.folder = tempfile.TemporaryDirectory()
        command_seconds(self.folder.name, self.puzzles)

    def teardown(self):
        self.folder.cleanup()

    def time_rate_ten(self):
        command_seconds(self.folder.name, self.puzzles)

    def track_peak_memory(self):
        import resource

        command_seconds(self.folder.name, self.puzzles)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        return peak / 1024 if os.uname().sysname == "Linux" else peak / 1024**2

    track_peak_memory.unit = "MB"
