"""Fill orders of variants: the shipped players, programs, fits and commands."""

import csv
import io

import numpy as np
import pytest
from helpers.command import run
from helpers.samples.simulated_games import auditor

from nando.games import Game, Population, load_fill_order
from nando.games.evidence.standards import notes_on_kinds
from nando.games.orders import baseline_orders
from nando.games.people.fitting import by_player, fit_population, taught_persons
from nando.games.said import translated
from nando.games.training import fit_to_games, honest_games
from nando.puzzles import Variant, blanks_of
from nando.solvers import unique_solution

CAGES = Variant(
    "6x6+killer:r1c1r1c2r2c2r3c2:13+killer:r1c3r2c3:8+killer:r1c4:6+killer:r1c5r1c6r2c6r3c6:16"
    "+killer:r2c1r3c1:3+killer:r2c4r2c5:5+killer:r3c3r3c4:7+killer:r3c5r4c5r4c6:10"
    "+killer:r4c1r5c1r5c2r5c3:10+killer:r4c2r4c3r4c4:12+killer:r5c4r5c5:11+killer:r5c6r6c6:6"
    "+killer:r6c1r6c2r6c3:15+killer:r6c4r6c5:4"
)


def games_of(runs, model=None, seed=4):
    """Return games of two players drawn from a model, the shipped one by default."""
    model = model or load_fill_order(kind="variant")
    rng = np.random.default_rng(seed)
    return [game_of(model.sample_order(CAGES, rng), str(i), "ab"[i % 2]) for i in range(runs)]


def game_of(cells, name="1", player="ada"):
    solution = unique_solution(CAGES)
    moves = [(800 * (k + 1), int(cell), int(solution[cell])) for k, cell in enumerate(cells)]
    return Game.from_moves(CAGES, moves, name=name, player=player)


def test_chances_follow_the_moment_and_add_up():
    model = load_fill_order(kind="variant")
    (game,) = games_of(1)
    logs = model.log_likelihoods(CAGES, game.cells)
    for k in (0, 5, len(game.cells) - 1):
        chances = model.next_cell_probabilities(CAGES, game.cells[:k])
        assert chances.sum() == pytest.approx(1)
        assert not chances[game.cells[:k]].any()
        assert np.log(chances[game.cells[k]]) == pytest.approx(logs[k])
    assert Population.from_json(model.to_json()).model_id == model.model_id


def test_the_shipped_players_explain_each_other_better_than_baselines_do():
    games = games_of(12)
    chances = {
        name: np.mean([order.log_likelihood(CAGES, game.cells) for game in games])
        for name, order in baseline_orders("variant").items()
    }
    known = load_fill_order(kind="variant")
    own = np.mean([known.log_likelihood(CAGES, game.cells) for game in games])
    assert own > max(chances.values())
    assert chances["uniform"] < chances["nearest single"]


def test_people_are_not_taken_for_programs_and_a_typed_solution_is():
    people, typed = games_of(8), game_of(blanks_of(CAGES))
    *honest, found = auditor().audit([*people, typed])
    assert not any(audit.unlike for audit in honest)
    assert found.finding == "entered"
    assert "somebody who types the solution row by row" in found.evidence[0]
    assert found.notes == ("judged by its order alone",)


def test_a_source_has_persons_of_all_games_and_of_those_with_the_same_rules():
    games = games_of(13)
    persons = taught_persons("ada", games)
    assert len(persons) == 4
    assert sum(person.weight for person in persons) == pytest.approx(2)
    assert np.array_equal(persons[0].coefficients, persons[2].coefficients)
    assert len(taught_persons("ada", games[:11])) == 2


def test_a_population_learns_from_a_log_with_times(tmp_path):
    lines = ["game,player,puzzle,t_ms,cell,value"]
    lines += [
        f"{game.name},{game.player},{CAGES.text},{800 * k},{CAGES.cell_name(int(cell))},"
        f"{game.solution[cell]}"
        for game in games_of(4)
        for k, cell in enumerate(game.cells)
    ]
    log = tmp_path / "log.csv"
    log.write_text("\n".join(lines), encoding="utf-8")
    honest = honest_games("variant", log)
    assert [game.player for game in honest.games] == ["a", "b", "a", "b"]
    fitted = fit_to_games(honest, "variant")
    assert isinstance(fitted, Population)
    assert fitted.kind == "variant"
    assert len(fitted.persons.names) == 100 + 2 * 2
    assert fitted.provenance_["games"] == 4
    result = run("audit", log, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["verdict"] for row in rows} == {"consistent with a person"}
    again = fit_population(by_player(honest.games), kind="variant", n_jobs=2)
    assert again.model_id.split("-")[-1] == fitted.model_id.split("-")[-1]


def test_the_order_of_a_variant_on_the_command_line():
    result = run("order", CAGES.text, "--runs", "5", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert sorted(int(row["rank"]) for row in rows) == list(range(1, 37))
    assert {row["cell"] for row in rows} == {CAGES.cell_name(cell) for cell in range(36)}


def test_the_note_on_times_speaks_of_variants_of_sudoku():
    (note,) = notes_on_kinds(games_of(2))
    assert note.endswith("because no times of variants of Sudoku are known: 2 of 2 games")
    assert "für Varianten von Sudoku keine Zeiten" in translated(note, "de")
