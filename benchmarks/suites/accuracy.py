"""How well the model predicts people, where the data set is at hand."""

from nando.datasets import DataNotFoundError, fetch_cloud_sudoku
from nando.evaluation import evaluate
from nando.rating import Rater


class Accuracy:
    """Held-out predictions of puzzles that the model was not fitted to."""

    params = ["mean_seconds", "D_TO"]
    param_names = ["target"]
    timeout = 600

    def setup(self, target):
        try:
            self.data = fetch_cloud_sudoku(target=target)
        except DataNotFoundError as error:
            raise NotImplementedError(str(error)) from None  # asv then leaves it out

    def track_pearson(self, target):
        data = self.data
        models = {"nando": Rater()}
        report = evaluate(
            data.puzzles, data.target, data.weight, models=models, repeats=1, n_bootstrap=10
        )
        scores = report.scores("times")
        return float(scores["nando"]["Pearson on log"].value)

    track_pearson.unit = "Pearson on log"
