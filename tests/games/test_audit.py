"""The audit of each kind of puzzle: evidence, verdicts, control over a contest, file and report."""

import json
import re
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest
from helpers.data import needs
from helpers.sampled import only
from helpers.samples.nurikabe_boards import EXAMPLES
from helpers.samples.simulated_games import (
    CAGES,
    auditor,
    drawn_games,
    game_of,
    honest_games,
    puzzles,
)

from nando.datasets import DATASETS
from nando.drawing.shapes import Disc, Text
from nando.games import (
    ADVERSARIES,
    STRATEGIES,
    Auditor,
    load_auditor,
    load_fill_order,
    play,
    read_games,
)
from nando.games.evidence import verdicts
from nando.games.evidence.reading import ENTERED
from nando.games.evidence.replays import copies
from nando.games.evidence.ways import HONEST
from nando.games.evidence.words import hasty_stretch
from nando.games.mixtures import AT_FIRST, BEGINS, ENDS, log_odds, passages
from nando.games.report import AuditReport, plots_of
from nando.games.said import words_in
from nando.puzzles.nurikabe import BLACK

LOG = DATASETS["sudoku_insight"][0]
needs_log = needs("sudoku_insight")


def cheats(name, count=5):
    rng = np.random.default_rng(2)
    return [ADVERSARIES[name].make(game, rng) for game in honest_games(count)]


# Verdicts


PEOPLE = {
    "sudoku": lambda: honest_games(6),
    "nurikabe": lambda: [game for each in EXAMPLES for game in drawn_games(each, 4)],
    "river": lambda: [
        game_of(each.puzzle, each.cells, player=each.player, only=BLACK)
        for each in PEOPLE["nurikabe"]()
    ],
    "variant": lambda: drawn_games(CAGES, 6),
}
"""Games of people, on variants and on Nurikabe by the order alone."""


@pytest.mark.parametrize("kind", only(["sudoku", "nurikabe"], PEOPLE))
def test_people_are_not_taken_for_programs(kind):
    audits = auditor().audit(PEOPLE[kind]())
    assert all(audit.n_moves >= 10 for audit in audits)
    assert sum(audit.p_value <= 0.01 for audit in audits) <= 1
    assert sum(audit.verdict == verdicts.CONSISTENT for audit in audits) > len(audits) / 2
    assert not any(player.unlike for player in verdicts.players_of(audits))


@pytest.mark.parametrize("way", only(["half on the screen, the rest on paper"], list(HONEST)))
def test_no_honest_way_of_playing_is_unlike_a_person(way):
    rng = np.random.default_rng(3)
    games = [HONEST[way](game, rng) for game in honest_games(5)]
    audits = auditor().audit(games)
    assert not any(audit.unlike for audit in audits)
    (player,) = verdicts.players_of(audits)
    assert not player.unlike
    paper = "paper" in way
    assert sum(audit.finding == "entered" for audit in audits) >= 3 * paper
    if paper:
        assert player.verdict == "entered from a finished solution"
        assert all("program" not in sentence for audit in audits for sentence in audit.evidence)


@pytest.mark.parametrize(
    "name",
    only(
        ["logic ladder, human-like delays"],
        ["fewest candidates", "first single", "nearest single", "logic ladder, human-like delays"],
    ),
)
def test_programs_are_unlike_a_person(name):
    audits = auditor().audit(cheats(name))
    assert np.mean([audit.unlike for audit in audits]) >= 0.8
    for audit in audits:
        if audit.unlike:
            assert audit.verdict.startswith("unlike a person at the 1 in ")
            assert "better than people do" in audit.evidence[0]
            weights = [weight for _, weight in audit.moves]
            assert weights == sorted(weights, reverse=True)


def typed(puzzle, how, only=None):
    """Return a game whose cells were typed in an order."""
    row, column = np.divmod(np.arange(puzzle.givens.size), puzzle.shape[1])
    order = {
        "row by row": (column, row),
        "column by column": (row, column),
        "from the end": (-column, -row),
        "chess-board": (column, row, (row + column) % 2),
        "random": (np.random.default_rng(3).random(len(row)),),
    }[how]
    return game_of(puzzle, np.lexsort(order), only=only)


TYPED = {
    **{name: partial(cheats, name) for name in ("row by row", "random", "half typed")},
    "variant": lambda: [typed(CAGES, "row by row")],
    **{
        f"nurikabe, {how}, {colour or 'both colours'}": lambda how=how, colour=colour: [
            typed(puzzle, how, colour) for puzzle in EXAMPLES
        ]
        for how in ("row by row", "column by column", "from the end", "chess-board")
        for colour in (None, BLACK)
    },
}
"""Games of typed solutions."""
FEW_TYPED = ["half typed", "variant", f"nurikabe, from the end, {BLACK}"]


@pytest.mark.parametrize("name", only(FEW_TYPED, TYPED))
def test_typed_solutions_are_forbidden_only_on_the_screen(name):
    games = TYPED[name]()
    audits = auditor().audit(games)
    entered = [audit for audit in audits if audit.verdict == "entered from a finished solution"]
    assert len(entered) >= len(games) / 2
    assert not any(audit.finding.accuses for audit in audits)
    forbidden = [audit for audit in auditor().audit(games, on_screen=True) if audit.finding.accuses]
    assert len(forbidden) == len(entered)
    for audit in forbidden:
        assert audit.verdict.startswith("not solved on the screen at the 1 in ")
        assert not any("program" in sentence for sentence in audit.evidence)
    if name in FEW_TYPED[1:]:
        order = {"variant": "types the solution row by row"}.get(name, "row by row from the end")
        assert f"{order} explains" in audits[0].evidence[0]
        assert audits[0].notes == ("judged by its order alone",)


def test_random_cells_are_found_in_several_games():
    audits = auditor().audit([typed(puzzle, "random", only=BLACK) for puzzle in EXAMPLES])
    (player,) = verdicts.players_of(audits, on_screen=True)
    assert (player.n_games, player.player) == (3, "ada")
    assert player.verdict.startswith("not solved on the screen at the 1 in ")


def test_only_the_order_of_a_nurikabe_counts():
    """A program gets the same verdict at the delays of a person and at no delays at all."""
    game = typed(EXAMPLES[0], "row by row")
    audits = auditor().audit([game, game.with_seconds(np.zeros(len(game.cells)))])
    assert audits[0].log_odds == audits[1].log_odds
    assert audits[0].timing_odds == 0
    words = " ".join(audits[0].evidence)
    assert not {"Sudoku", "single"} & set(words.split())


@pytest.mark.parametrize("name", only(["second device when stuck", "annealing"], ADVERSARIES))
def test_adversaries_fill_every_blank_once(name):
    game = honest_games(1)[0]
    made, again = (ADVERSARIES[name].make(game, np.random.default_rng(4)) for _ in range(2))
    assert sorted(made.cells.tolist()) == sorted(game.cells.tolist())
    assert (np.diff(made.seconds) >= 0).all()
    assert made.puzzle.is_solution(made.solution)
    np.testing.assert_array_equal(made.cells, again.cells)
    np.testing.assert_array_equal(made.seconds, again.seconds)


def test_the_words_name_the_order_and_the_passage():
    (typed,) = auditor().audit(cheats("row by row, human delays", 1))
    assert "somebody who types the solution row by row" in typed.evidence[0]
    (half,) = auditor().audit(cheats("half typed", 1))
    n = len(half.game.cells)
    assert f"of {n} on" in half.evidence[0]
    at_work = half.reading.suspects.passages(ENTERED).at_work
    assert at_work[: n // 3].max() < 0.5 < at_work[-n // 3 :].min()


def test_what_speaks_for_somebody_who_entered_a_solution():
    """The time before the entries stands beside the predicted time, at the player's own pace."""
    rng = np.random.default_rng(0)
    *others, last = honest_games(4)
    typed = HONEST["on paper, typed row by row"](last, rng)
    typed = replace(typed, n_corrections=2, n_marks=1)
    (*_, alone) = auditor().audit([replace(typed, player="zoe")])
    (*_, known) = auditor().audit([*others, typed])
    for audit, pace in ((alone, "a typical pace"), (known, "the pace of the player's other games")):
        silence = next(sentence for sentence in audit.evidence if "nando predicts" in sentence)
        assert silence.startswith("before entry 1: ")
        assert silence.endswith(pace)
        assert "2 entries were corrected" in audit.evidence
        assert "1 pencil mark was entered" in audit.evidence
    assert "3 other games of this player were filled cell by cell" in known.evidence


def test_a_hand_faster_than_fingers():
    """Fills in 30 ms are no hand's, unless the app enters them: at the end, or at one time.

    Nine digits a second are keyed from paper.
    """
    game = honest_games(1)[0]
    delays = np.maximum(np.diff(game.seconds, prepend=0.0), 0.7)
    pasted, by_app, at_once, keyed = (delays.copy() for _ in range(4))
    pasted[15:30] = 0.03
    keyed[15:30] = 0.11 * np.exp(np.linspace(-0.3, 0.3, 15))
    by_app[-15:] = 0.03
    at_once[15:30] = 0.0
    audits = auditor().audit(
        [game.with_seconds(np.cumsum(each)) for each in (pasted, by_app, at_once, keyed)]
    )
    assert [audit.unlike for audit in audits] == [True, False, False, False]
    assert "digits follow each other in 0.03 s, faster than fingers" in audits[0].evidence[0]


def test_a_player_may_be_slow_and_may_have_lunch():
    game = honest_games(1)[0]
    delays = np.maximum(np.diff(game.seconds, prepend=0.0), 0.5)
    lunch = delays.copy()
    lunch[20] += 3000
    slow, interrupted = auditor().audit(
        [game.with_seconds(np.cumsum(4 * delays)), game.with_seconds(np.cumsum(lunch))]
    )
    assert max(slow.timing_odds, interrupted.timing_odds) < 2


def test_impossible_haste_is_named():
    game = honest_games(1)[0]
    delays = np.maximum(np.diff(game.seconds, prepend=0.0), 4.0)
    delays[20:32] = 0.25
    (reading,) = auditor().read([game.with_seconds(np.cumsum(delays))])
    found = hasty_stretch(reading)
    assert found is not None
    assert (found.first, found.last) == (20, 31)
    assert found.seconds == pytest.approx(0.25)
    (calm,) = auditor().read([game.with_seconds(np.cumsum(np.maximum(delays, 4.0)))])
    assert hasty_stretch(calm) is None


@pytest.mark.parametrize("count", [0, 9, 10, 30])
def test_beginnings_are_judged_from_ten_fills_on(count):
    game = honest_games(1)[0]
    part = replace(game, cells=game.cells[:count], seconds=game.seconds[:count])
    (audit,) = auditor().audit([part])
    assert audit.n_moves == (count if count >= 10 else 0)
    if count < 10:
        assert audit.verdict == f"{verdicts.TOO_LITTLE}: {count} fills"
        assert audit.p_value == 1.0


def test_verdicts_in_words():
    def words(p_value, entered_p_value=1.0, *, guilty=False, entered=False, **options):
        found = verdicts.verdict_of(
            p_value, entered_p_value, 0.01, guilty=guilty, entered=entered, **options
        )
        return found.words

    assert words(1.0) == words(0.83) == verdicts.CONSISTENT
    assert words(0.03) == verdicts.TOO_LITTLE
    assert words(0.002, guilty=True, entered=True) == "unlike a person at the 1 in 500 level"
    found = words(0.002, n_games=300)
    assert found == "too little to tell: 1 in 500 by itself, but one of 300 games"
    assert words(1.0, 0.001, entered=True) == "entered from a finished solution"
    found = words(1.0, 0.001, entered=True, on_screen=True)
    assert found == "not solved on the screen at the 1 in 1,000 level"


# Numbers


def test_passages_against_all_sequences_of_states():
    """The hidden Markov model agrees with a sum by hand over every sequence of states."""
    rng = np.random.default_rng(0)
    ratios, weights = rng.normal(size=(4, 2)), np.array([0.3, 0.7])
    total, at_work = 0.0, np.zeros(4)
    for states in product((-1, 0, 1), repeat=4):
        chance = 1.0
        for k, state in enumerate(states):
            before = states[k - 1] if k else None
            if k == 0:
                chance *= 1 - AT_FIRST if state < 0 else AT_FIRST * weights[state]
            elif before < 0:
                chance *= 1 - BEGINS if state < 0 else BEGINS * weights[state]
            else:
                chance *= ENDS if state < 0 else (1 - ENDS) * (state == before)
            chance *= 1.0 if state < 0 else np.exp(ratios[k, state])
        total += chance
        at_work += chance * (np.array(states) >= 0)
    found = passages(ratios, weights)
    assert found.log_odds == pytest.approx(np.log(total))
    assert log_odds(ratios, weights) == pytest.approx(np.log(total))
    np.testing.assert_allclose(found.at_work, at_work / total)


def test_the_mean_of_an_e_value_is_one():
    """In games drawn from a population of one person, a program's ratio averages to at most 1."""
    rng = np.random.default_rng(0)
    fills = rng.random((4000, 6)) < 0.7
    ratios = np.where(fills, np.log(0.4 / 0.7), np.log(0.6 / 0.3))[:, :, None]
    e_values = [np.exp(log_odds(ratio, np.ones(1))) for ratio in ratios]
    assert np.mean(e_values) == pytest.approx(1.0, abs=0.1)


def test_control_over_a_contest():
    rng = np.random.default_rng(1)
    honest = -np.log(rng.random(1000))  # the heaviest e-values that honest games may have
    assert verdicts.select_accused(honest, 0.01).mean() < 0.005
    mixed = np.concatenate([honest, np.full(50, 15.0)])
    assert verdicts.select_accused(mixed, 0.01)[1000:].all()
    assert verdicts.select_accused(np.array([]), 0.01).tolist() == []
    assert verdicts.p_value_of(-3.0) == 1.0
    assert verdicts.p_value_of(np.log(200.0)) == pytest.approx(0.005)
    assert verdicts.p_value_of(1e5) == 1e-4


def test_a_field_shows_what_is_usual():
    assert verdicts.excess_of(np.full(30, -1.0)) == 0.0
    assert verdicts.excess_of(np.full(30, 3.0)) == pytest.approx(3.0)
    assert verdicts.excess_of(np.r_[np.full(28, -1.0), 40.0, 40.0]) == 0.0, "cheats hide no cheat"
    assert verdicts.rank_p_value(5.0, np.arange(99.0)) == pytest.approx(95 / 100)


def contest(count, seed=0):
    rng = np.random.default_rng(seed)
    draws = list(STRATEGIES.values())
    puzzle = puzzles(1)[0]
    return [
        play(puzzle, draws[i % len(draws)](rng), rng, name=str(i), account=f"player {i}")
        for i in range(count)
    ]


def test_a_contest_with_cheats():
    games = contest(22)
    rng = np.random.default_rng(5)
    games[4] = ADVERSARIES["first single"].make(games[4], rng)
    games[9] = ADVERSARIES["row by row"].make(games[9], rng)
    audits = auditor().audit(games, on_screen=True)
    assert [audits[i].finding for i in (4, 9)] == ["unlike", "off screen"]
    assert not any(audit.finding.accuses for i, audit in enumerate(audits) if i not in (4, 9))
    assert all(audit.standard.startswith("the field: rank ") for audit in audits)
    assert "least p-value of a rank 0.045" in audits[0].standard
    assert {audit.game.name for audit in AuditReport(audits).audits[:2]} == {"4", "9"}


@pytest.mark.thorough
def test_replays_are_found_in_any_disguise():
    games = contest(6)
    rng = np.random.default_rng(8)
    relabelled = ADVERSARIES["relabelled replay"].make(games[2], rng)
    turned = games[3].puzzle.givens.reshape(9, 9).T.reshape(-1)
    place = np.arange(81).reshape(9, 9).T.reshape(-1)
    inverse = np.argsort(place)
    transposed = replace(
        games[3],
        puzzle=type(games[3].puzzle).from_values(turned),
        solution=games[3].solution[place],
        cells=inverse[games[3].cells].astype(np.int16),
    )
    games += [
        replace(relabelled, name="6", player="zoe"),
        replace(transposed, name="7", player="yan"),
    ]
    found = copies(auditor().read(games))
    assert {(copy.first, copy.second) for copy in found} == {(2, 6), (3, 7)}
    assert all(copy.disguised and copy.delays > 0.99 for copy in found)
    audits = auditor().audit(games)
    assert audits[6].evidence[0].startswith("the same order as game 2 of player 2 in 52 of 52")
    assert not audits[6].unlike


def test_strangers_who_share_a_common_order_did_not_copy():
    """Two people type row by row from paper, at their own paces: nobody is named to the other."""
    rng = np.random.default_rng(0)
    games = [HONEST["on paper, typed row by row"](game, rng) for game in contest(6)]
    audits = auditor().audit(games)
    assert not any("the same order" in text for audit in audits for text in audit.evidence)
    rare = contest(1)[0]
    other = replace(rare, name="1", player="zoe").with_seconds(
        np.cumsum(rng.lognormal(1.0, 0.5, len(rare.cells)))
    )
    for audit in auditor().audit([rare, other]):
        assert audit.evidence[0].startswith("another player filled the cells in the same order")
        assert "zoe" not in audit.evidence[0]
        assert "player 0" not in audit.evidence[0]


def test_the_same_order_of_a_nurikabe_is_a_copy():
    first, third = drawn_games(EXAMPLES[0], 2)
    audits = auditor().audit([first, replace(first, name="2", player="ben"), third])
    assert audits[0].evidence[0].startswith("the same order as game 2 of ben in")
    assert audits[1].evidence[0].startswith("the same order as game 0 of a in")
    assert not any("the same order" in sentence for sentence in audits[2].evidence)


def test_history_is_of_the_kind_that_is_played():
    games = [replace(game, player="ada") for game in drawn_games(EXAMPLES[0], 6)]
    audits = auditor().audit([honest_games(1)[0], *games[:3]], history=games[3:])
    assert audits[0].standard == "other people"
    assert all("know 3 games" in audit.standard for audit in audits[1:])


@pytest.mark.slow
def test_own_history_is_a_standard():
    rng = np.random.default_rng(0)
    player = STRATEGIES["box by box"](rng)
    games = [play(puzzle, player, rng, account="ada") for puzzle in puzzles(28)]
    typed = ADVERSARIES["first single"].make(games[24], rng)
    (*audits, cheat) = auditor().audit([*games[24:], typed], history=games[:24], level=0.05)
    assert all("own history: 24 games, least p-value 0.04" in a.standard for a in audits)
    assert cheat.unlike
    assert cheat.p_value == 1 / 25
    (*_, cheat) = auditor().audit([*games[24:], typed], history=games[:24])
    assert cheat.standard == "other people, who know 24 games of the player"
    assert cheat.unlike
    known = auditor().population.given(games[:24])
    for game in games[24:]:
        stranger = auditor().population.log_likelihood(game.puzzle, game.cells)
        assert known.log_likelihood(game.puzzle, game.cells) > stranger


def test_threads_change_nothing():
    games = honest_games(3)
    one, two = auditor().audit(games), auditor().audit(games, n_jobs=2)
    assert [audit.log_odds for audit in one] == [audit.log_odds for audit in two]


def test_bad_levels():
    for level in (0.0, 1.0, -3):
        with pytest.raises(ValueError, match="between 0 and 1"):
            auditor().audit([], level=level)
    with pytest.raises(ValueError, match=r"level must be at least 0\.0001, got 1e-05"):
        auditor().audit([], level=1e-5)
    assert auditor().audit([]) == []
    with pytest.raises(ValueError, match="no games to learn from"):
        Auditor.fit([])


# Files and reports


def test_the_auditor_as_a_file(tmp_path):
    text = auditor().to_json(tmp_path / "audit.json")
    again = load_auditor(tmp_path / "audit.json")
    assert again.model_id == auditor().model_id
    games = honest_games(2)
    assert [a.log_odds for a in again.audit(games)] == [a.log_odds for a in auditor().audit(games)]
    record = json.loads(text)
    record["audit"]["programs"][0]["coefficients"]["distance"] = 7.0
    with pytest.raises(ValueError, match="it was changed; fit it again"):
        Auditor.from_json(json.dumps(record))
    del record["audit"]
    with pytest.raises(ValueError, match="without an audit"):
        Auditor.from_json(json.dumps(record))


def test_a_population_of_nurikabe_is_an_auditor(tmp_path):
    people = load_fill_order(kind="nurikabe")
    people.to_json(tmp_path / "mine.json")
    found, games = load_auditor(tmp_path / "mine.json"), drawn_games(EXAMPLES[0], 2)
    assert (found.population.kind, found.model_id) == ("nurikabe", people.model_id)
    mine, shipped = found.audit(games), auditor().audit(games)
    assert [one.log_odds for one in mine] == [one.log_odds for one in shipped]
    assert found.models_of(games) == auditor().models_of(games) == people.model_id
    assert isinstance(Auditor.from_json(found.to_json()), Auditor)


@pytest.mark.slow
def test_fitting_to_own_games(monkeypatch):
    monkeypatch.setattr("nando.games.fill_order._MOST_ITERATIONS", 12)
    fitted = Auditor.fit(honest_games(12))
    assert "ada" in fitted.population.persons.names
    assert {program.name for program in fitted.programs} == {
        "annealing",
        "brute force",
        "refutation",
    }
    assert all(audit.unlike for audit in fitted.audit(cheats("first single", 3)))


@pytest.fixture(scope="module")
def audits():
    """Audit three honest games, one with strange names, two typed ones and two of a program."""
    named = replace(honest_games(1)[0], name="<b>1</b>", player="ada & co", notes=("a < b",))
    random = [replace(game, player="ben") for game in cheats("random", 2)]
    programs = [replace(game, player="cid") for game in cheats("first single", 2)]
    return auditor().audit([named, *honest_games(3)[1:], *random, *programs])


def test_the_report_is_one_page(audits):
    report = AuditReport(
        audits,
        model_id="m-0",
        problems=["line 3: <junk>"],
        sources=["log.csv"],
        notes=["t_ms has seconds"],
    )
    page = report.page()
    for part in (
        "<p>log.csv; model m-0;",
        "&lt;b&gt;1&lt;/b&gt;",
        "line 3: &lt;junk&gt;",
        "Players unlike a person at the level 0.01, by all their games together: 1 of 3.",
        "Games unlike a person at the level 0.01: 2 of 7.",
        "Games entered from a finished solution: 2 of 7.",
        '<tr class="unlike"><td>cid</td>',
        "<tr><td>ben</td>",
        "t_ms has seconds",
        "other people (7)",
    ):
        assert part in page, part
    assert "<b>1</b>" not in page
    assert "src=" not in page
    assert page.count("<svg") == 14 == page.count("<title>") - 1
    assert page.index("by all their games") < page.index("Games unlike") < page.index("<h2>Games")
    found = [audit.finding for audit in report.audits]
    assert found == [*["unlike"] * 2, *["entered"] * 2, *["person"] * 3]
    for kind in ("unlike", "person"):
        odds = [audit.log_odds for audit in report.audits if audit.finding == kind]
        assert odds == sorted(odds, reverse=True)
    forbidden = AuditReport(auditor().audit(cheats("random", 2), on_screen=True), on_screen=True)
    assert "Games not solved on the screen, which the rules require: 2 of 2." in forbidden.page()
    assert "<p>model ;" in forbidden.page(), "no source, so no semicolon at the beginning"


def test_plots_of_a_game(audits):
    audit = audits[1]
    titles, (chances, times) = zip(*plots_of(audit, words_in("en")), strict=True)
    assert titles[0].startswith("probability that a program is at work, by fill: ")
    assert re.fullmatch(
        r"seconds, by fill: [\d.]+ to [\d.]+, median [\d.]+; "
        r"typical at this player's pace: median [\d.]+, [\d.]+ to [\d.]+",
        titles[1],
    )
    dots = [sum(isinstance(shape, Disc) for shape in plot.shapes) for plot in (chances, times)]
    assert dots == [audit.n_moves, audit.n_moves - 1], "how long the first fill took is not known"


@pytest.mark.parametrize(("language", "half"), [("en", "0.5"), ("de", "0,5")])
def test_plots_of_chances_have_the_same_axis(audits, language, half):
    words = words_in(language)
    for audit in (audits[1], audits[3]):
        labels = [
            [shape.text for shape in plot.shapes if isinstance(shape, Text)]
            for _, plot in plots_of(audit, words)
        ]
        assert labels[0][:3] == ["0", half, "1"]
        assert words("report.typical") in labels[1]


@pytest.mark.thorough
@needs_log
def test_the_published_log():
    """Real games are judged to be a person's, games typed on the same puzzles are not."""
    log = read_games(LOG.path(LOG.files[0].name))
    assert (len(log.games), len(log.problems)) == (1089, 146)
    assert all(game.finished for game in log.games)
    honest = log.games[::12]
    assert not any(audit.unlike for audit in auditor().audit(honest))
    rng = np.random.default_rng(0)
    for name in ("fewest candidates", "first single", "logic ladder with jitter"):
        made = [ADVERSARIES[name].make(game, rng) for game in honest[:10]]
        assert all(audit.unlike for audit in auditor().audit(made))
