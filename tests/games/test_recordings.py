"""Games recorded by SudokuPad and lisudoku."""

import json
import random

import pytest
from helpers.command import run
from helpers.samples.recordings import PUZZLE, replay_file, solving_actions, steps_file

from nando.games import read_games
from nando.games.recordings import read_recording
from nando.games.times import is_log, times_of_log

BLANKS = [cell for cell, given in enumerate(PUZZLE.givens) if not given]


def moves_of(actions, **more):
    return read_recording(json.loads(replay_file(actions, **more))).moves


def test_a_replay_becomes_a_game(tmp_path):
    path = tmp_path / "ada.replay"
    path.write_text(replay_file(solving_actions()), encoding="utf-8")
    log = read_games(path)
    (game,) = log.games
    assert (game.name, game.player, game.notes, log.problems) == ("ada", "ada", (), [])
    assert game.puzzle == PUZZLE
    assert game.cells.tolist() == BLANKS
    assert game.seconds.tolist() == [2.0 * (k + 1) for k in range(len(BLANKS))]


def test_steps_of_lisudoku_become_a_game(tmp_path):
    path = tmp_path / "solve.json"
    path.write_text(steps_file(), encoding="utf-8")
    (game,) = read_games(path).games
    assert game.puzzle == PUZZLE
    assert game.finished
    assert game.seconds.tolist() == [2.0 * (k + 1) for k in range(len(BLANKS))]
    value = json.loads(steps_file())
    plain = {"puzzle": PUZZLE.text, "steps": value["user_solution"]["steps"]}
    path.write_text(json.dumps(plain), encoding="utf-8")
    assert read_games(path).games[0].cells.tolist() == game.cells.tolist()


@pytest.mark.parametrize(
    ("actions", "moves"),
    [
        ("I02_1D5_2C4_1", []),  # marks
        ("I02_1D5_2B5_2F2_1", [(250, 2, 5), (300, 2, 0)]),  # marks below a digit stay
        ("I02_1B5_2O100_120B6_1", [(150, 2, 5), (1200, 2, 6)]),  # 100 ticks of pause
        ("I02_1Ba_2", [(150, 2, -1)]),
    ],
)
def test_actions_of_a_replay(actions, moves):
    assert moves_of(actions) == moves


def test_older_versions_have_their_letters():
    assert moves_of("J02_1B5_2G0_1", version="0.80.0") == [(150, 2, 5), (200, 2, 0)]


class Oracle:
    """A board that is rebuilt from the first action after each undo."""

    def __init__(self):
        self.done, self.undone, self.since = [], [], 0

    def board(self):
        digits, marks, selected = {}, set(), []
        for letter, argument in self.done:
            if letter == "I":
                selected = sorted({*selected, int(argument, 16)})
            elif letter == "J":
                selected = []
            elif letter == "B":
                cells = [cell for cell in selected if not PUZZLE.givens[cell]]
                same = all(digits.get(cell) == argument for cell in cells)
                digits.update(dict.fromkeys(cells, None if same else argument))
            elif letter == "D":
                cells = [c for c in selected if not PUZZLE.givens[c] and not digits.get(c)]
                same = all((cell, argument) in marks for cell in cells)
                for cell in cells:
                    (marks.discard if same else marks.add)((cell, argument))
            elif letter == "F":
                blank = [cell for cell in selected if not PUZZLE.givens[cell]]
                if any(digits.get(cell) for cell in blank):
                    digits.update(dict.fromkeys(blank))
                else:
                    marks = {(cell, mark) for cell, mark in marks if cell not in blank}
        return {cell: int(digit) for cell, digit in digits.items() if digit}, marks, selected

    def undo(self):
        for place in range(len(self.done)):
            last = self.done.pop()
            if self.since == 0:
                self.undone.append(last)
            else:
                self.since -= 1
                if self.since == 0:
                    return
            if last[0] not in "IJ" or (place == 0 and last[0] == "J"):
                return

    def do(self, letter, argument):
        if letter == "G":
            self.undo()
            return
        if letter == "H":
            if self.since:
                self.undo()
            while self.undone:
                self.done.append(self.undone.pop())
                if self.done[-1][0] not in "IJ":
                    return
            return
        before = self.board()
        self.done.append((letter, argument))
        if letter in "JF" and self.board() == before:
            self.done.pop()
            return
        if self.undone and letter in "IJ":
            self.since += 1
        else:
            self.undone, self.since = [], 0


@pytest.mark.parametrize("seed", range(40))
def test_undo_and_redo_give_the_board_that_all_actions_left_give(seed):
    chance, oracle = random.Random(seed), Oracle()
    text, boards = "", []
    arguments = {"I": ["00", "02", "03", "05"], "B": "12", "D": "12", "F": "0"}
    for _ in range(40):
        letter = chance.choice("IIIBBBDFJGGH")
        argument = chance.choice(arguments.get(letter, [""]))
        text += f"{letter}{argument}_1"
        oracle.do(letter, argument)
        boards.append(oracle.board()[0])
    moves = moves_of(text)
    for number, board in enumerate(boards, 1):
        digits = {cell: value for t_ms, cell, value in moves if t_ms <= 50 * number}
        assert {cell: value for cell, value in digits.items() if value} == board, text


def test_a_folder_of_games(tmp_path):
    for name in ("ada/1.replay", "ada/2.replay", "bob.replay", ".hidden.replay", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(replay_file(solving_actions()), encoding="utf-8")
    (tmp_path / "cy.json").write_text(steps_file(), encoding="utf-8")
    (tmp_path / "broken.replay").write_text("{}", encoding="utf-8")
    log = read_games(tmp_path)
    players = [(game.name, game.player) for game in log.games]
    assert players == [("1", "ada"), ("2", "ada"), ("bob", "bob"), ("cy", "cy")]
    assert log.problems == ["broken.replay: not a replay of SudokuPad: its JSON has no 'replay'"]
    assert is_log(tmp_path)
    assert times_of_log(tmp_path, "sudoku").training.values[0] > 60


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"no games in the folder; wanted \.csv"):
        read_games(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (replay_file("", type="zip"), "a replay packed by 'zip', wanted 'clzw'"),
        (replay_file("", rows=4, cols=4), "a replay on 4 x 4 cells of a puzzle with 9 x 9"),
        (replay_file("", data="N4"), "packed actions of the replay are damaged"),
        (replay_file("I02_1Z_1"), "the replay has 'Z_1' for an action"),
        (replay_file("I02"), "the replay has 'I02' for an action"),
        (replay_file("I99_1"), "the replay selects '99', which are not cells of it"),
        (replay_file("I02_1F7_1"), "the replay clears with the tool '7'"),
        ('{"replay": 1, "format": "replay_v2.0"}', "a replay of the version 'replay_v2.0'"),
        ("[]", "not a replay of SudokuPad"),
        (json.dumps({"replay": {}, "format": "replay_v1.0"}), "a replay packed by None"),
    ],
)
def test_damaged_replays(tmp_path, text, message):
    path = tmp_path / "game.replay"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"game\.replay: ") as error:
        read_games(path)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (json.loads(steps_file())["user_solution"]["steps"], "steps without their puzzle"),
        ({"puzzle": PUZZLE.text, "steps": 3}, "no list of 'steps'"),
        ({"puzzle": PUZZLE.text, "steps": [{"type": "digit"}]}, "step 1 is {'type': 'digit'}"),
        ({"steps": []}, "no puzzle in the JSON"),
    ],
)
def test_damaged_steps(tmp_path, value, message):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(ValueError, match=r"game\.json: ") as error:
        read_games(path)
    assert message in str(error.value)


def test_the_order_of_a_replays_puzzle_is_predicted(tmp_path):
    path = tmp_path / "ada.replay"
    path.write_text(replay_file(solving_actions()), encoding="utf-8")
    printed = run("order", str(path), "--runs", "2", "--history", str(path)).stdout
    assert len(printed.splitlines()) >= 9
