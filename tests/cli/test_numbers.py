"""Every number that a command takes is checked: one clear error, and never a traceback."""

import types
import typing
from inspect import signature

import pytest
from helpers.command import run
from helpers.samples.sudokus import LINE

from nando.cli.app import COMMANDS

BASES = {
    "rate": ("rate", LINE),
    "solve": ("solve", LINE),
    "explain": ("explain", LINE),
    "generate": ("generate",),
    "book": ("book", "--grades", "easy:1", "-o", "{folder}/book.html"),
    "play": ("play", LINE, "-o", "{folder}/play.html"),
    "serve": ("serve", "{folder}/contest.toml"),
    "order": ("order", LINE),
    "audit": ("audit", "{folder}/log.csv"),
    "features": ("features", LINE),
    "fit": ("fit", "--data", "{folder}/times.csv", "-o", "{folder}/model.json"),
    "evaluate": ("evaluate",),
    "reproduce": ("reproduce",),
}
"""A call of each command that takes numbers; what is wrong with one is said before any work."""

OPTIONS = [
    (command.__name__, name.replace("_", "-"), kinds)
    for subject in COMMANDS.values()
    for command in subject
    for name, hint in typing.get_type_hints(command).items()
    if name in signature(command).parameters
    and (kinds := (set(typing.get_args(hint)) or {hint}) - {types.NoneType}) <= {int, float}
]


@pytest.mark.parametrize(("command", "option", "kinds"), OPTIONS)
def test_numbers_that_make_no_sense(command, option, kinds, tmp_path):
    arguments = [part.format(folder=tmp_path) for part in BASES[command]]
    wrong = ["1" + "0" * 20, "-1" + "0" * 20, "3x", ""]
    for value in [*wrong, "nan"] if float in kinds else [*wrong, "1.5"]:
        found = run(*arguments, f"--{option}={value}")
        assert found.exit_code == 2, value
        assert isinstance(found.exception, SystemExit)
        assert f"--{option}" in found.stderr


def test_the_option_for_the_kind_has_its_old_name_too():
    for option in ("--kind", "--puzzle"):
        assert run("solve", LINE, option, "sudoku").exit_code == 0
        assert run("solve", LINE, option, "chess").exit_code == 2
        assert "unknown puzzle kind 'chess'" in run("solve", LINE, f"{option}=chess").stderr
    assert "--puzzle" not in run("solve", "--help").stdout
