"""What holds after any sequence of steps: batches in parts, and runs that are interrupted.

The machines are few and quick; ``-m slow`` runs many more of them.
"""

import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers.command import run
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nando.cli import reading as _reading
from nando.datasets import load_examples
from nando.generators import Known, NurikabeSource, SudokuSource, Target, generate
from nando.making import Maker
from nando.puzzles import Sudoku
from nando.solvers import count_solutions

LENGTH = 6
"""Puzzles of a batch."""


def few_givens(puzzles):
    return [-puzzle.n_givens for puzzle in puzzles]


SOURCES = {
    "any": (SudokuSource(), None),
    "symmetric": (SudokuSource(symmetry="rotational"), None),
    "minimal": (SudokuSource(minimal=True), None),
    "thirty": (SudokuSource(givens=30), None),
    # Fewer givens, a higher score.
    "wanted": (
        SudokuSource(),
        Target.by(few_givens, -29.0, -27.0),
    ),
    # There are so few boards that a batch draws equivalent ones.
    "crowded": (NurikabeSource((3, 3)), None),
}


@cache
def batch(name, seed):
    """Return the puzzles of a batch, generated in turn."""
    source, target = SOURCES[name]
    return tuple(made.puzzle for made in generate(source, LENGTH, target=target, seed=seed))


class Batches(RuleBasedStateMachine):
    """A machine that makes parts of a batch in any order and on any number of threads."""

    @initialize(name=st.sampled_from(sorted(SOURCES)), seed=st.integers(0, 3))
    def begin(self, name, seed):
        self.name, self.seed = name, seed
        self.source, self.target = SOURCES[name]
        self.whole = batch(name, seed)
        self.made = {}
        self.known = Known()

    def part(self, first, count, jobs, known):
        found = list(
            generate(
                self.source,
                first + count,
                target=self.target,
                seed=self.seed,
                first=first,
                n_jobs=jobs,
                known=known,
            )
        )
        assert [made.index for made in found] == list(range(first, first + count))
        for made in found:
            assert made.puzzle == self.whole[made.index]
            self.made[made.index] = made.puzzle

    @rule(first=st.integers(0, LENGTH - 1), count=st.integers(1, LENGTH), jobs=st.integers(1, 3))
    def any_part(self, first, count, jobs):
        """Make a part of the batch whose predecessors are known from elsewhere."""
        count = min(count, LENGTH - first)
        self.part(first, count, jobs, Known(self.whole[:first]))

    @rule(count=st.integers(1, 3), jobs=st.integers(1, 2))
    def next_part(self, count, jobs):
        """Continue the batch after its last part, with the puzzles that it has added."""
        first = getattr(self, "end", 0)
        count = min(count, LENGTH - first)
        if count:
            self.part(first, count, jobs, self.known)
            self.end = first + count

    @rule(turn=st.integers(0, 2**32 - 1))
    def an_equivalent_one_never_comes(self, turn):
        """If an equivalent of the first puzzle is known, another puzzle is made instead."""
        turned = self.whole[0].shuffled(np.random.default_rng(turn))
        known = Known([turned])
        (made,) = generate(self.source, 1, target=self.target, seed=self.seed, known=known)
        assert made.puzzle.equivalence_key() != turned.equivalence_key()

    @invariant()
    def each_is_what_was_asked_for(self):
        puzzles = [self.made[index] for index in sorted(getattr(self, "made", ()))]
        assert all(count_solutions(puzzle) == 1 for puzzle in puzzles)
        assert len({puzzle.equivalence_key() for puzzle in puzzles}) == len(puzzles)
        for puzzle in puzzles:
            if self.target is not None:
                assert self.target.low <= self.target.estimate(puzzle) <= self.target.high
            if self.name == "thirty":
                assert puzzle.n_givens == 30
            if self.name == "symmetric":
                given = puzzle.givens > 0
                assert (given == given[::-1]).all()


# ---------------------------------------------------------------- interrupted runs


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
    puzzles = load_examples().puzzles[:3]
    lines = [puzzles[i % 3].shuffled(rng).text for i in range(18)]
    lines[5] = "no puzzle"
    (path / "bank.txt").write_text("\n".join(lines))
    return path


COMMANDS = {
    "rate": ("rate", "BANK", "--runs", 1),
    "generate": ("generate", "--no-rating", "-n", 9, "--seed", 3),
    "nurikabe": ("generate", "--no-rating", "-n", 6, "--kind", "nurikabe", "--size", "5x5"),
}
FORMS = ("csv", "jsonl")


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


MACHINES = {"batches": Batches, "runs": Runs}
EXAMPLES = {"batches": 12, "runs": 10}


def check(name, times):
    MACHINES[name].TestCase.settings = settings(
        max_examples=times * EXAMPLES[name],
        stateful_step_count=8,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    MACHINES[name].TestCase("runTest").runTest()


@pytest.mark.thorough
@pytest.mark.parametrize("name", MACHINES)
def test_machines(name):
    check(name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", MACHINES)
def test_many_machines(name):
    check(name, 20)


def test_the_crowded_batch_meets_equivalent_boards():
    """The crowded batch has equivalent boards, so the machine tests how they are made again."""
    alone = [
        next(iter(generate(NurikabeSource((3, 3)), index + 1, seed=1, first=index)))
        for index in range(LENGTH)
    ]
    assert len({made.puzzle.equivalence_key() for made in alone}) < LENGTH
    assert Sudoku not in {type(made.puzzle) for made in alone}
