"""`nando warmup`: after it, nothing is left to compile."""

import pytest
from typer.testing import CliRunner

from nando.cli.app import app
from nando.cli.commands import warmup as _warmup

LEFT_OUT = {
    *("book", "convert", "datasets", "evaluate", "fit", "play", "reproduce", "schema"),
    *("serve", "warmup"),
}
"""They run what `rate` and `generate` run, or nothing that is compiled."""


def test_it_runs_every_command(tmp_path):
    works = _warmup._works(app, tmp_path)
    commands = {what.split()[1] for what, _ in works if what.startswith("nando ")}
    named = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert commands == named - LEFT_OUT


def test_it_says_how_far_it_is(monkeypatch):
    done = []
    works = [("one", lambda: done.append(1)), ("another", lambda: print("not shown"))]
    monkeypatch.setattr(_warmup, "_works", lambda program, folder: works)
    monkeypatch.setattr("nando.precompile.compile_everything", lambda: done.append(0))
    result = CliRunner().invoke(app, ["warmup"])
    assert result.exit_code == 0
    assert done == [0, 1]
    lines = result.stderr.splitlines()
    assert [line.rsplit("  ", 1)[0].strip() for line in lines] == [
        "1 of 2  one",
        "2 of 2  another",
        "ready",
    ]
    assert result.stdout == ""


def test_a_command_that_fails_is_not_passed_over(tmp_path):
    with pytest.raises(RuntimeError, match="ended with status 2"):
        _warmup._command(app, f"rate {tmp_path / 'nothing'}", tmp_path)()


@pytest.mark.thorough
def test_an_unknown_command_does_not_run():
    _warmup._all_features()
    _warmup._search_hard()
