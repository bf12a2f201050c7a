"""Consoles of the documentation: commands run in this process, and their output."""

import doctest
import re
import shlex
import subprocess
from pathlib import Path

from helpers.command import run
from nando.rating.result import GRADES

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
STATUS = '; echo "status $?"'

_known = {}
"""What lines print that neither read nor write a file of their own."""

_FIGURES = [
    (re.compile(r"\d+ (?:h|min|s)\b(?: \d+ (?:min|s)\b)*"), "<time>"),
    (re.compile(r"-?\+?\d+ ?%"), "<share>"),
    (re.compile(r"[.1-9]{81}"), "<puzzle>"),
    (re.compile(rf"\b(?:{'|'.join(GRADES)})\b"), "<grade>"),
    (re.compile(r"\d+"), "<number>"),
]
_REASON = re.compile(r"[a-z][a-z -]*(<time>|<share>)")


def commands_of(text):
    """Yield the lines of a console that begin with ``$``, each with the output after it."""
    first, *commands = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not first.strip(), "a console begins with a command"
    for command in commands:
        line, _, wanted = command.partition("\n")
        yield line, wanted


def run_line(line):
    """Run a line of a shell and return its exit status and all that it prints."""
    words = line.split()
    own = [word for word in words if not word.startswith("examples/") and Path(word).exists()]
    if "-o" in words or own:
        return _run(line)
    if line not in _known:
        _known[line] = _run(line)
    return _known[line]


def _run(line):
    status, printed = 0, ""
    for part in line.removesuffix(STATUS).split(" && "):
        if not status:
            before, _, command = part.rpartition(" | ")
            piped = _shell(before)[1] if before else None
            status, more = _nando(command, piped) if command[:6] == "nando " else _shell(part)
            printed += more
    return (0, f"{printed}status {status}\n") if line.endswith(STATUS) else (status, printed)


def _nando(command, piped):
    found = run(*shlex.split(command)[1:], stdin=piped)
    # With a pipe, errors are printed first.
    said = re.sub(r"^compiling kernels.*\n", "", found.stderr, flags=re.MULTILINE)
    return found.exit_code, said + found.stdout


def _shell(line):
    done = subprocess.run(
        ["bash", "-c", line],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def agree(wanted, printed, *, figures):
    """Return True if a page shows the printed text; ``...`` matches anything, figures by shape."""
    if doctest.OutputChecker().check_output(wanted, printed, FLAGS):
        return True
    return figures and shape(wanted) == shape(printed)


def shape(text):
    """Return the cells of each line, with the type of each figure in place of the figure."""
    return [[_kind(cell) for cell in re.split(" {2,}", line.strip())] for line in text.splitlines()]


def _kind(cell):
    for pattern, kind in _FIGURES:
        cell = pattern.sub(kind, cell)
    reasons = [_REASON.fullmatch(reason) for reason in cell.split(", ")]
    return f"<reasons in {reasons[0][1]}>" if all(reasons) else cell
