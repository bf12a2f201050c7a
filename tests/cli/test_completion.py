"""Completion in shells: the scripts and their results."""

import os
import subprocess
import sys

import pytest
from helpers.sampled import one_in, only

SHELLS = {
    "bash": "complete -o default -F _nando_completion nando",
    "zsh": "compdef _nando_completion nando",
    "fish": "complete --command nando",
}
"""A line of each shell's script."""


def nando(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "nando", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("shell", only(["bash"], SHELLS))
def test_a_script_is_produced(shell):
    assert SHELLS[shell] in nando(_NANDO_COMPLETE=f"source_{shell}")


@pytest.mark.parametrize("shell", only(["bash"], SHELLS))
def test_a_script_is_installed_where_the_shell_reads_it(shell, tmp_path):
    # Otherwise completion is for the shell that runs the tests.
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    message = nando("--install-completion", shell, HOME=str(tmp_path), **named)
    assert f"{shell} completion installed" in message
    written = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert any(SHELLS[shell] in text for text in written)


@pytest.mark.parametrize(
    ("typed", "offered"),
    one_in(
        3,
        [
            ("nando explain --style h", ["hodoku"]),
            ("nando ra", ["rate"]),
            ("nando rate --cro", ["--crowd"]),
        ],
    ),
)
def test_commands_options_and_values_are_offered(typed, offered):
    place = str(typed.count(" "))
    found = nando(COMP_WORDS=typed, COMP_CWORD=place, _NANDO_COMPLETE="complete_bash")
    assert found.split() == offered
