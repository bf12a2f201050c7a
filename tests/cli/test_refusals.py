"""What a command cannot do is one sentence with a way out, and leaves the folder as it was."""

import os
import shlex
from pathlib import Path

import pytest
from helpers.command import run
from helpers.consoles import commands_of
from helpers.pages.played_pages import SUDOKU

from nando.games import load_fill_order

LINE = SUDOKU.text
FILES = {
    "empty.txt": b"\n# nothing\n",
    "junk.bin": bytes(range(256)),
    "a.parquet": b"PAR1\x15\xff",
    "log.csv": f"game,player,puzzle,t_ms,cell,value\n1,ada,{LINE},1000,r1c3,4\n".encode(),
    "no.csv": b"game,puzzle,t_ms,cell,value\n",
    "other.csv": b"game,player\n1,ada\n",
    "two.txt": f"{LINE}\n{LINE}\n".encode(),
    "parts.toml": b"[[parts]]\n",
    "none.toml": b"",
    "results.csv": f"player,puzzle,seconds\nada,{LINE},300\n".encode(),
    "title.toml": "title = '数独'\n[[parts]]".encode(),
}
TEXT = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8")
"""A console: each command with the sentence that refuses it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("refusals")
    for name, content in FILES.items():
        (path / name).write_bytes(content)
    (path / "orders.json").write_text(load_fill_order().to_json(), encoding="utf-8")
    (path / "p.html").write_text("before", encoding="utf-8")
    return path


@pytest.mark.parametrize(("line", "message"), [*commands_of(TEXT.replace("NULL", os.devnull))])
def test_what_cannot_be_done_is_said_in_one_line(folder, monkeypatch, line, message):
    monkeypatch.chdir(folder)
    command, *arguments = shlex.split(line.replace("LINE", LINE))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    result = run(command, *arguments)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert message.strip() in " ".join(result.stderr.replace("│", " ").split())
    said = [line for line in result.stderr.splitlines() if not line.startswith("compiling kern")]
    assert len(said) == 1 or "Usage:" in said[0] or command in ("order", "play"), said
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
