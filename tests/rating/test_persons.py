"""Persons: parameters of simulated players are recovered, and predictions for them hold."""

import json

import numpy as np
import pandas as pd
import pytest
from helpers.data import needs
from helpers.sampled import only
from scipy import stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from nando.datasets import fetch_sudoku_insight
from nando.features import SolverFeatures
from nando.puzzles import Sudoku
from nando.rating import PersonModel, Variances
from nando.rating.fitting.crossed import (
    GUESS,
    LARGEST_CORE,
    Games,
    Posterior,
    design,
    estimate,
    half_width,
)
from nando.solvers import count_many

SPREAD = {"puzzle": 0.3, "speed": 0.4, "slope": 0.15, "noise": 0.3}


class Crowd:
    """Simulated players and puzzles of known skill and difficulty."""

    def __init__(self, seed, n_players, n_puzzles, noise="t"):
        self.rng = np.random.default_rng(seed)
        self.noise = noise
        self.z = self.rng.normal(6, 0.6, n_puzzles)
        self.difficulty = 6.2 + 1.1 * (self.z - 6) + self.rng.normal(0, SPREAD["puzzle"], n_puzzles)
        self.speed = self.rng.normal(0, SPREAD["speed"], n_players)
        self.slope = self.rng.normal(0, SPREAD["slope"], n_players)

    def play(self, player, puzzle):
        """Return games of these players on these puzzles."""
        n = len(player)
        if self.noise == "t":
            error = SPREAD["noise"] * self.rng.standard_t(5, n)
        else:
            error = SPREAD["noise"] * self.rng.standard_normal(n)
        if self.noise == "wild":
            error += np.where(self.rng.random(n) < 0.02, self.rng.uniform(1, 4, n), 0)
        own = -self.speed[player] + self.slope[player] * (self.z[puzzle] - 6)
        return pd.DataFrame(
            {
                "puzzle": [f"puzzle {i}" for i in puzzle],
                "player": [f"player {i}" for i in player],
                "seconds": np.exp(self.difficulty[puzzle] + own + error),
                "z": self.z[puzzle],
            }
        )

    def games(self, n):
        """Return games of random players on random puzzles."""
        return self.play(
            self.rng.integers(len(self.speed), size=n), self.rng.integers(len(self.z), size=n)
        )

    def choosy_games(self, n):
        """Return games in which the fast players choose the hard puzzles."""
        player = self.rng.integers(len(self.speed), size=n)
        wanted = np.argsort(np.argsort(self.speed))[player] / len(self.speed)
        place = (wanted + self.rng.normal(0, 0.15, n)) * len(self.z)
        return self.play(player, np.argsort(self.z)[np.clip(place, 0, len(self.z) - 1).astype(int)])

    def of(self, values, names):
        """Return the simulated values of the players or puzzles with these names."""
        return values[[int(name.split()[1]) for name in names]]


def fitted(games, **settings):
    return PersonModel(**settings).fit(games, games["z"])


def correlation(one, other):
    return np.corrcoef(one, other)[0, 1]


def share_inside(model, games, **known):
    low, high = model.predict_interval(games["player"], games["z"], **known).T
    return ((low <= games["seconds"]) & (games["seconds"] <= high)).mean()


SMALL = Crowd(7, 8, 30).games(200)


@pytest.fixture(scope="module")
def small():
    return fitted(SMALL)


# ---------------------------------------------------------------- the Gaussian


@pytest.mark.parametrize(("n_players", "n_puzzles"), [(1, 30), (3, 10), (20, 6), (15, 30)])
def test_the_posterior_is_that_of_one_dense_matrix(n_players, n_puzzles):
    rng = np.random.default_rng(n_players)
    n = 60
    player, puzzle = rng.integers(n_players, size=n), rng.integers(n_puzzles, size=n)
    x, y, weight = rng.normal(size=n), rng.normal(6, 1, n), rng.uniform(0.1, 1.2, n)
    columns = np.zeros((n, 2 + 2 * n_players + n_puzzles))
    for i in range(n):
        columns[i, 0] = 1
        columns[i, 1] = x[i]
        columns[i, 2 + 2 * player[i]] = -1
        columns[i, 3 + 2 * player[i]] = x[i]
        columns[i, 2 + 2 * n_players + puzzle[i]] = 1
    own = [1 / GUESS.speed, 1 / GUESS.slope] * n_players
    prior = np.diag([0, 1, *own, *[1 / GUESS.puzzle] * n_puzzles])
    noise = np.diag(weight / GUESS.noise)
    covariance = np.linalg.inv(columns.T @ noise @ columns + prior)
    mean = covariance @ (columns.T @ noise @ y + prior @ np.eye(len(prior))[1])

    assert np.array_equal(design(player, puzzle, x, n_players, n_puzzles).toarray(), columns)
    found = Posterior(Games(player, puzzle, x, y, n_players, n_puzzles), weight, GUESS)
    np.testing.assert_allclose(found.mean, mean, atol=1e-10)
    np.testing.assert_allclose(found.variances(), np.diag(covariance), atol=1e-12)
    of_games = found.variance(design(player, puzzle, x, n_players, n_puzzles))
    np.testing.assert_allclose(of_games, np.diag(columns @ covariance @ columns.T), atol=1e-12)


def test_unknown_players_and_puzzles_have_no_column():
    unknown = np.array([-1, 0, -1])
    found = design(unknown, unknown[::-1], np.array([0.5, 1.0, 2.0]), 1, 1).toarray()
    assert found.tolist() == [[1, 0.5, 0, 0, 0], [1, 1, -1, 1, 1], [1, 2, 0, 0, 0]]


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95])
def test_the_interval_of_a_normal_variable_plus_a_t(coverage):
    # Without the normal variable, it is the t's own quantile.
    (alone,) = half_width(np.zeros(1), 0.09, 5.0, coverage)
    assert alone == pytest.approx(0.3 * stats.t(5).ppf((1 + coverage) / 2), rel=5e-3)
    rng = np.random.default_rng(0)
    drawn = rng.normal(0, 0.4, 400_000) + 0.3 * rng.standard_t(5, 400_000)
    (both,) = half_width(np.array([0.16]), 0.09, 5.0, coverage)
    assert (np.abs(drawn) < both).mean() == pytest.approx(coverage, abs=0.003)


def test_too_many_of_both_are_refused():
    n = LARGEST_CORE
    games = Games(np.arange(n), np.arange(n), np.zeros(n), np.zeros(n), n, n)
    with pytest.raises(ValueError, match="6,000 players and 6,000 puzzles are too many"):
        Posterior(games, np.ones(n), GUESS)


# ---------------------------------------------------------------- recovery


@pytest.mark.parametrize("noise", only(["t"], ["t", "wild"]))
def test_spreads_are_recovered(noise):
    found = np.sqrt(fitted(Crowd(1, 120, 150, noise).games(6_000)).variances_)
    wanted = [SPREAD["puzzle"], SPREAD["speed"], SPREAD["slope"], SPREAD["noise"]]
    np.testing.assert_allclose(found, wanted, rtol=0.2)


@pytest.mark.parametrize("noise", only(["t"], ["t", "normal", "wild"]))
@pytest.mark.parametrize("choosy", [False, True])
def test_skill_and_difficulty_are_recovered(noise, choosy):
    crowd = Crowd(2, 40, 150, noise)
    games = crowd.choosy_games(3_000) if choosy else crowd.games(3_000)
    model = fitted(games)
    players, puzzles = model.players(), model.puzzles()
    speed = crowd.of(crowd.speed, players["player"])
    difficulty = crowd.of(crowd.difficulty, puzzles["puzzle"])
    assert correlation(players["speed"], speed) > 0.97
    assert correlation(players["slope"], crowd.of(crowd.slope, players["player"])) > 0.75
    assert correlation(puzzles["log_seconds"], difficulty) > 0.97
    # Speeds are deviations from the mean player, for whom the difficulties hold.
    assert np.abs(players["speed"].mean()) < 0.02
    error = puzzles["log_seconds"] - (difficulty - speed.mean())
    assert np.abs(error.mean()) < 0.05
    assert np.abs(np.polyfit(difficulty, error, 1)[0]) < 0.1
    if choosy:
        naive = -np.log(games["seconds"]).groupby(games["player"]).mean()
        assert correlation(naive[players["player"]], speed) < 0.8


def test_standard_deviations_are_honest():
    crowd = Crowd(3, 200, 100)
    players = fitted(crowd.games(3_000)).players()
    speed = crowd.of(crowd.speed, players["player"])
    apart = (players["speed"] - (speed - speed.mean())) / players["speed_sd"]
    assert apart.std() == pytest.approx(1.0, abs=0.2)


def test_wild_times_move_little():
    clean = Crowd(4, 20, 60, "normal").games(800)
    spoilt = clean.copy()
    spoilt.loc[::40, "seconds"] *= 50  # 20 of 800 left the page open
    one, other = fitted(clean).players(), fitted(spoilt).players()
    assert np.abs(one["speed"] - other["speed"]).max() < 0.1


@pytest.mark.thorough
@pytest.mark.parametrize("noise", ["t", "normal", "wild"])
@pytest.mark.parametrize(
    ("n_players", "n_puzzles", "n_games"), [(60, 150, 3_000), (30, 80, 600), (60, 20, 600)]
)
def test_the_interval_covers(noise, n_players, n_puzzles, n_games):
    """Intervals cover the times of known and new players on known and new puzzles."""
    shares = []
    for seed in range(4):
        crowd = Crowd(seed, n_players + 2_000, n_puzzles + 2_000, noise)
        known = (
            crowd.rng.integers(n_players, size=n_games),
            crowd.rng.integers(n_puzzles, size=n_games),
        )
        model = fitted(crowd.play(*known))
        player, puzzle = (crowd.rng.integers(n, size=2_000) for n in (n_players, n_puzzles))
        new = np.arange(2_000)
        asked = (player, puzzle), (player, n_puzzles + new), (n_players + new, puzzle)
        games = [crowd.play(*pair) for pair in asked]
        shares.append([share_inside(model, part, puzzle=part["puzzle"]) for part in games])
    for share in np.mean(shares, axis=0):
        assert 0.76 <= share <= 0.84


def test_one_player_alone():
    games = Crowd(5, 1, 200).games(300)
    model = fitted(games[:200])
    assert 0.7 <= share_inside(model, games[200:]) <= 0.9
    typical = model.predict("player 0", games["z"])
    assert np.abs(np.log(games["seconds"] / typical).median()) < 0.1
    # Nothing is known about the other players, so their spread is the prior's.
    assert model.variances_.speed == pytest.approx(GUESS.speed)
    low, high = model.predict_interval(["player 0", "somebody"], 6.0).T
    assert np.log(high / low)[1] > 1.2 * np.log(high / low)[0]


# ---------------------------------------------------------------- few games, nobody known


def test_a_player_with_one_game_is_drawn_to_the_population():
    games = Crowd(6, 20, 50).games(500)
    typical = fitted(games).predict("nobody", 6.0)
    one = pd.DataFrame({"puzzle": ["new"], "player": ["ann"], "seconds": typical / 3, "z": [6.0]})
    model = fitted(pd.concat([games, one]))
    speed = model.players().set_index("player").loc["ann"]
    assert 0.1 < speed["speed"] < 0.8 * np.log(3)
    assert speed["speed_sd"] > 0.15
    assert typical / 3 < model.predict("ann", 6.0) < typical


def test_somebody_unknown_is_the_typical_player(small):
    one, other = small.predict(["nobody", "someone"], 6.3)
    assert one == other
    a, b = small.line_
    assert one == pytest.approx(np.exp(a + b * (6.3 - small.z_mean_)))
    known, unknown = np.log(small.predict_interval(["player 1", "nobody"], 6.3))
    assert np.diff(unknown) > 1.15 * np.diff(known)
    with pytest.raises(ValueError, match="unknown player 'nobody': add their games"):
        small.predict(["player 1", "nobody"], 6.3, strict=True)
    assert small.predict("player 1", 6.3, strict=True) > 0


def test_a_solved_puzzle_is_known_better(small):
    puzzle = SMALL["puzzle"].mode()[0]
    z = SMALL.set_index("puzzle")["z"].to_dict()[puzzle]
    new, old = (np.log(small.predict_interval("player 1", z, puzzle=p)) for p in ("new", puzzle))
    assert np.diff(old) < np.diff(new)
    assert np.array_equal(new, np.log(small.predict_interval("player 1", z)))


def test_shapes(small):
    assert np.ndim(small.predict("player 1", 6.0)) == 0
    assert small.predict_interval("player 1", 6.0).shape == (2,)
    assert small.predict(["player 1", "player 2"], 6.0).shape == (2,)
    assert small.predict("player 1", [5.0, 6.0, 7.0]).shape == (3,)
    assert small.predict_interval(SMALL["player"], SMALL["z"]).shape == (200, 2)
    wide = small.predict_interval("player 1", 6.0, coverage=0.95)
    narrow = small.predict_interval("player 1", 6.0, coverage=0.5)
    assert wide[0] < narrow[0] < small.predict("player 1", 6.0) < narrow[1] < wide[1]


def test_names_may_be_numbers_and_puzzles_puzzles():
    line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    puzzle = Sudoku(line)
    rows = [{"puzzle": puzzle, "player": 1, "seconds": s} for s in (300, 320)]
    model = PersonModel().fit(rows, {puzzle: 5.7})
    assert model.puzzles()["puzzle"].tolist() == [line]
    assert model.predict(1, 5.7, puzzle=puzzle, strict=True) == model.predict("1", 5.7, line)


# ---------------------------------------------------------------- new games


def test_games_added_later_give_the_same_as_a_fit_to_all():
    games = Crowd(8, 15, 150, "wild").games(600)
    first, rest = games[:400], games[400:]
    model = fitted(first)
    assert set(rest["puzzle"]) - set(first["puzzle"]), "no new puzzles to take in"
    at_once = fitted(first).update(rest, rest["z"])
    for start in range(400, 600, 50):
        part = games[start : start + 50]
        model.update(part, part["z"])
    whole = fitted(games, variances=model.variances_)
    ask = games["player"], games["z"]
    # A fit to all games centres slopes on another mean prediction, which shifts them slightly.
    for other, apart in ((at_once, 1e-5), (whole, 5e-3)):
        np.testing.assert_allclose(
            np.log(model.predict(*ask, games["puzzle"])),
            np.log(other.predict(*ask, games["puzzle"])),
            atol=apart,
        )
        np.testing.assert_allclose(
            np.log(model.predict_interval(*ask)), np.log(other.predict_interval(*ask)), atol=apart
        )
    # The spread is estimated from fewer games, which shifts predictions slightly.
    anew = fitted(games)
    apart = np.log(model.predict(*ask, games["puzzle"]) / anew.predict(*ask, games["puzzle"]))
    assert np.sqrt(np.mean(apart**2)) < 0.02


def test_a_new_player_becomes_known():
    crowd = Crowd(9, 21, 100)
    games = crowd.games(2_000)
    theirs = games["player"] == "player 20"
    model, sds = fitted(games[~theirs]), []
    for part in np.split(np.flatnonzero(theirs), [1, 10]):
        model.update(games.iloc[part], games["z"].iloc[part])
        known = model.players().set_index("player").loc["player 20"]
        sds.append(known["speed_sd"])
    assert sds == sorted(sds, reverse=True)
    wanted = crowd.speed[20] - crowd.speed.mean()
    assert known["speed"] == pytest.approx(wanted, abs=3 * known["speed_sd"])


def test_known_puzzles_need_no_prediction(small):
    model = PersonModel.from_json(small.to_json())
    row = {"puzzle": ["puzzle 3"], "player": ["ann"], "seconds": [100.0]}
    before = small.predict("ann", 6.0)
    assert model.update(row).predict("ann", 6.0) < before
    text = model.to_json()
    with pytest.raises(ValueError, match="there is no z for the puzzle new"):
        model.update(row | {"puzzle": ["new"]})
    with pytest.raises(ValueError, match="a puzzle has one prediction"):
        model.update(row, [12.0])
    assert model.to_json() == text


def test_predictions_of_one_puzzle_may_differ_by_noise():
    games = pd.concat([SMALL, SMALL], ignore_index=True)
    games.loc[200:, "z"] += 0.01
    np.testing.assert_array_equal(
        fitted(games).puzzles()["z"], fitted(games.assign(z=[*SMALL["z"]] * 2)).puzzles()["z"]
    )


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda g: g.drop(columns="player"),
            "the games have no column 'player'; wanted puzzle, pl",
        ),
        (lambda g: g[:0], "there are no games"),
        (lambda g: g.assign(seconds=0.0), r"above 0, got 0.0 in row 1 \(and 199 more\): leave out"),
        (lambda g: g.assign(seconds=[*g["seconds"][:-1], np.nan]), "got nan in row 200: leave"),
        (lambda g: g.assign(seconds=[np.inf, *g["seconds"][1:]]), "got inf in row 1: leave"),
        (lambda g: g.assign(seconds=["3:20", *g["seconds"][1:]]), "got 3:20 in row 1: leave"),
        (lambda g: g.assign(seconds=-g["seconds"]), "above 0, got -"),
        (lambda g: g.assign(player=[None, *g["player"][1:]]), "row 1 has no player: name one"),
        (lambda g: g.assign(player=[" ", *g["player"][1:]]), "row 1 has no player: name one"),
        (lambda g: g.assign(puzzle=[np.nan, *g["puzzle"][1:]]), "row 1 has no puzzle: name one"),
        (lambda g: g.assign(z=[np.nan, *g["z"][1:]]), "z must be finite, got nan"),
        (lambda g: g.assign(z=np.arange(200.0)), "and .*: a puzzle has one prediction"),
        (
            lambda g: g.drop_duplicates("player"),
            "each of 8 players has one game, which cannot tell players from puzzles: give two",
        ),
        (lambda g: g[:1], "the only player has one game"),
    ],
)
def test_bad_games(change, message):
    games = change(SMALL.copy())
    with pytest.raises(ValueError, match=message) as caught:
        fitted(games)
    assert "\n" not in str(caught.value)


def test_bad_predictions_and_settings(small):
    with pytest.raises(ValueError, match="one number for each of 200 games, got the shape"):
        PersonModel().fit(SMALL, SMALL["z"][:-1])
    with pytest.raises(ValueError, match="z must be finite, got inf for the puzzle puzzle"):
        PersonModel().fit(SMALL, dict.fromkeys(SMALL["puzzle"], np.inf))
    with pytest.raises(ValueError, match=r"dof must be above 2 and at most 1,000 .*, got 1"):
        fitted(SMALL, dof=1)
    with pytest.raises(ValueError, match="variances must be above 0"):
        fitted(SMALL, variances=Variances(0.1, 0.0, 0.1, 0.1))
    with pytest.raises(ValueError, match="coverage must be between 0 and 1, got 80"):
        small.predict_interval("player 1", 6.0, 80)
    with pytest.raises(ValueError, match="z must be finite"):
        small.predict("player 1", np.nan)
    with pytest.raises(ValueError, match="which do not fit together"):
        small.predict(["player 1", "player 2"], [6.0, 6.0, 6.0])
    for method in ("players", "puzzles", "to_json"):
        with pytest.raises(NotFittedError):
            getattr(PersonModel(), method)()


# ---------------------------------------------------------------- files


def test_a_model_comes_back_from_its_file(small, tmp_path):
    text = small.to_json(tmp_path / "persons.json")
    assert (tmp_path / "persons.json").read_text() == text
    again = PersonModel.from_json(text)
    assert again.model_id == small.model_id
    assert again.to_json() == text
    ask = SMALL["player"], SMALL["z"]
    np.testing.assert_array_equal(again.predict(*ask), small.predict(*ask))
    np.testing.assert_array_equal(again.predict_interval(*ask), small.predict_interval(*ask))
    pd.testing.assert_frame_equal(again.players(), small.players())
    pd.testing.assert_frame_equal(again.puzzles(), small.puzzles())
    # A game is a line, so that a person can read the file.
    assert sum(line.startswith("  [") for line in text.splitlines()) == 200


def test_the_same_games_give_the_same_model(small):
    assert fitted(SMALL).model_id == small.model_id == clone(small).fit(SMALL, SMALL["z"]).model_id
    assert fitted(SMALL, dof=6.0).model_id != small.model_id
    assert fitted(SMALL[:-1]).model_id != small.model_id


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda r: r | {"format": "other"}, "format 'other', wanted 'nando person model 1'"),
        (lambda r: [r], "format 'list'"),
        (lambda r: r | {"z_mean": r["z_mean"] + 1}, "it was changed; fit it again"),
        (lambda r: r | {"z_mean": "x"}, "could not convert"),
        (lambda r: {k: v for k, v in r.items() if k != "games"}, "it has no 'games'"),
        (lambda r: r | {"dof": True}, "dof must be above 2"),
        (lambda r: r | {"variances": r["variances"] | {"noise": 0}}, "noise must be above 0"),
        (lambda r: r | {"games": [[0, 0, 300.0]]}, "games must be any by 4 numbers"),
        (lambda r: r | {"games": [[8, 0, 300.0, 1.0]]}, "players by their indices, 0 to 7"),
        (lambda r: r | {"games": [[-1, 0, 300.0, 1.0]]}, "players by their indices, 0 to 7"),
        (lambda r: r | {"games": [[0, 0.5, 300.0, 1.0]]}, "puzzles by their indices, 0 to"),
        (lambda r: r | {"games": [[0, 0, 0.0, 1.0]]}, "seconds must be above 0"),
        (lambda r: r | {"players": ["a"] * 8}, "players must have different names"),
        (lambda r: r | {"puzzles": ["a"] * 30}, "not a file of a person model"),
    ],
)
def test_spoilt_files_are_refused(small, spoil, message):
    with pytest.raises(ValueError, match=message):
        PersonModel.from_json(json.dumps(spoil(json.loads(small.to_json()))))


# ---------------------------------------------------------------- one real player


@pytest.mark.thorough
@needs("sudoku_insight")
def test_the_phone_log_by_date():
    """A fit to the first 70 % of the games, in the order of the log, predicts the others."""
    frame = fetch_sudoku_insight(as_frame=True).frame
    puzzles = [Sudoku(text) for text in frame["puzzle"]]
    one = (count_many(puzzles) == 1) & frame["completed"].to_numpy()
    games = frame[one].assign(player="phone")
    chosen = [puzzles[i] for i in np.flatnonzero(one)]
    features = SolverFeatures(groups=("ladder_race",)).fit([])
    place = list(features.get_feature_names_out()).index("mechanistic_seconds")
    z = np.asarray(features.transform(chosen))[:, place]  # log seconds already
    n = int(0.7 * len(games))
    assert len(games) == 1089
    model = PersonModel().fit(games[:n], z[:n])
    later, z_later = games[n:], z[n:]
    seconds = later["seconds"].to_numpy()
    predicted = model.predict("phone", z_later)
    assert stats.spearmanr(predicted, seconds).statistic > 0.78
    assert np.abs(np.median(np.log(seconds / predicted))) < 0.1
    low, high = model.predict_interval("phone", z_later).T
    assert 0.72 <= ((low <= seconds) & (seconds <= high)).mean() <= 0.88
    # After half of the remaining games are added, the others are predicted no worse.
    half = len(later) // 2
    model.update(later[:half], z_later[:half])
    errors = [
        np.abs(np.log(seconds[half:] / typical)).mean()
        for typical in (predicted[half:], model.predict("phone", z_later[half:]))
    ]
    assert errors[1] < errors[0] + 0.005


def test_variances_are_the_same_however_players_and_puzzles_are_counted():
    """The order in which players and puzzles are numbered does not matter."""
    rng = np.random.default_rng(3)
    player, puzzle = rng.integers(6, size=120), rng.integers(20, size=120)
    games = Games(player, puzzle, rng.normal(size=20)[puzzle], rng.normal(6, 0.5, 120), 6, 20)
    other = games._replace(player=5 - player, puzzle=19 - puzzle)
    (one, _), (two, _) = estimate(games, 5.0), estimate(other, 5.0)
    np.testing.assert_allclose(one, two, rtol=1e-6)
