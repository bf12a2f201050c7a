"""Commands that are interrupted, damaged and resumed in any order end with the same bytes."""

import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers.command import run
from helpers.samples.sudokus import EXAMPLES
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from nando.cli import reading as _reading
from nando.making import Maker


class _Interrupted:
    """A runner that interrupts commands by Ctrl-C after a number of steps."""

    def __init__(self, steps):
        self.steps = steps
        self.patch = pytest.MonkeyPatch()

    def _counted(self, items):
        for number, item in enumerate(items):
            if number == self.steps:
                raise KeyboardInterrupt
            yield item

    def __enter__(self):
        make, chunks = Maker.make, _reading.PuzzleFiles.chunks
        self.patch.setattr(Maker, "make", lambda *args, **more: self._counted(make(*args, **more)))
        # Use chunks of four puzzles instead of the thousand of a run with a journal.
        self.patch.setattr(_reading, "CHUNK", 4)
        self.patch.setattr(
            _reading.PuzzleFiles,
            "chunks",
            lambda *args, **more: self._counted(chunks(*args, **(more | {"size": 1}))),
        )

    def __exit__(self, *error):
        self.patch.undo()


_TEMPORARY = tempfile.TemporaryDirectory(prefix="nando-machines")


@cache
def _folder():
    path = Path(_TEMPORARY.name)
    rng = np.random.default_rng(0)
    puzzles = EXAMPLES[:3]
    lines = [puzzles[i % 3].shuffled(rng).text for i in range(18)]
    lines[5] = "no puzzle"
    (path / "bank.txt").write_text("\n".join(lines))
    return path


COMMANDS = {
    "rate": ("rate", "BANK", "--runs", 1),
    "generate": ("generate", "--no-rating", "-n", 9, "--seed", 3),
    "nurikabe": ("generate", "--no-rating", "-n", 6, "--kind", "nurikabe", "--size", "5x5"),
}
FORMS = ("csv", "jsonl", "parquet")


def command(name, output):
    bank = _folder() / "bank.txt"
    return [bank if part == "BANK" else part for part in COMMANDS[name]] + ["-o", output]


@cache
def uninterrupted(name, form):
    """Return the bytes that an uninterrupted run writes."""
    output = _folder() / f"{name}.whole.{form}"
    assert run(*command(name, output)).exit_code == (name == "rate")
    return output.read_bytes()


class Runs(RuleBasedStateMachine):
    """A machine that stops a command, damages its journal and resumes it to the same bytes."""

    @initialize(name=st.sampled_from(sorted(COMMANDS)), form=st.sampled_from(FORMS))
    def begin(self, name, form):
        self.name = name
        self.whole = uninterrupted(name, form)
        self.output = _folder() / f"cut.{form}"
        self.part = self.output.with_name(self.output.name + ".part")
        self.clean()

    def clean(self):
        self.output.unlink(missing_ok=True)
        self.part.unlink(missing_ok=True)

    def teardown(self):
        if hasattr(self, "output"):
            self.clean()

    @property
    def resume(self):
        return ["--resume"] if self.part.exists() else []

    @rule(steps=st.integers(0, 8), jobs=st.sampled_from([1, 2]))
    def go_on_for_a_while(self, steps, jobs):
        with _Interrupted(steps):
            result = run(*command(self.name, self.output), "--jobs", jobs, *self.resume)
        assert result.exit_code in (0, 1, 130), result.output
        assert result.exit_code == 130 or self.output.read_bytes() == self.whole

    @precondition(lambda self: getattr(self, "part", None) and self.part.exists())
    @rule(share=st.floats(0, 1), junk=st.binary(max_size=20))
    def a_kill_tears_the_journal(self, share, junk):
        content = self.part.read_bytes()
        head = content.index(b"\n") + 1
        place = head + round(share * (len(content) - head))
        self.part.write_bytes(content[:place] + junk)

    @precondition(lambda self: getattr(self, "part", None) and self.part.exists())
    @rule(share=st.floats(0, 0.999), flip=st.integers(1, 255))
    def the_disk_flips_a_bit(self, share, flip):
        content = bytearray(self.part.read_bytes())
        head = content.index(b"\n") + 1
        if len(content) > head:
            content[head + int(share * (len(content) - head))] ^= flip
            self.part.write_bytes(content)

    @precondition(lambda self: getattr(self, "part", None) and self.part.exists())
    @rule()
    def without_resume_nothing_is_lost(self):
        content = self.part.read_bytes()
        result = run(*command(self.name, self.output))
        assert result.exit_code == 2
        assert self.part.read_bytes() == content

    @rule()
    def finish(self):
        result = run(*command(self.name, self.output), *self.resume)
        assert result.exit_code == (self.name == "rate"), result.output
        assert self.output.read_bytes() == self.whole
        assert not self.part.exists()


@pytest.mark.thorough
def test_interrupted_runs():
    Runs.TestCase.settings = settings(
        max_examples=12,
        stateful_step_count=8,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    Runs.TestCase("runTest").runTest()
