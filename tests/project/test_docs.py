"""The documentation is correct: its examples run, its links exist."""

import dataclasses
import doctest
import importlib
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers import notebooks
from helpers.command import run

import nando
from nando.books import BookSpec, Cover, Design, Include, Part
from nando.books.spec import spec_of
from nando.features import GROUPS
from nando.generators import Wishes
from nando.puzzles import Sudoku
from nando.puzzles.formats.registry import FORMATS
from nando.puzzles.rules.registry import RULES
from nando.rating.result import GRADES
from nando.records import read_record
from nando.serve import Contest, PuzzlePart

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


ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NAMES = {"Sudoku": Sudoku}
WISHES = {field.name for field in dataclasses.fields(Wishes)}


class Block(NamedTuple):
    """A fenced block with the words of its first line.

    A block needs `data`, is `slow`, `fails`, or belongs to a `contest` or a `rule`. With `figures`
    of a model, which change with each fit, only the shape of its output is compared.
    """

    page: Path
    line: int
    language: str
    needs: frozenset[str]
    text: str

    def marks(self):
        return [
            *([pytest.mark.slow] if "slow" in self.needs else []),
            *([pytest.mark.thorough] if "howto" in self.page.parts else []),
            *(
                [pytest.mark.skipif("NANDO_DATA" not in os.environ, reason="NANDO_DATA is unset")]
                if "data" in self.needs
                else []
            ),
        ]


def blocks(page):
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w+)([ \w]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(page, line, found[1], frozenset(found[2].split()), found[3])


BLOCKS = [block for page in PAGES for block in blocks(page)]


def extension(name):
    """Return an extension module of Sphinx."""
    path = ROOT / "docs" / "_ext" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.thorough
@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_keeps(path):
    """A cell with figures of a model, which move with each fit, is compared by kind of output.

    ``python -m helpers.notebooks`` in the folder ``tests`` updates the outputs of all cells.
    """
    notebook = notebooks.read(path)
    cells = notebooks.code_cells(notebook)
    found = notebooks.run(notebook)
    assert sum(bool(outputs) for outputs in found) > len(cells) / 2
    for cell, outputs in zip(cells, found, strict=True):
        if "figures" in cell["metadata"].get("tags", ()):
            kept = [output["data"].keys() for output in cell["outputs"]]
            assert [output["data"].keys() for output in outputs] == kept
        else:
            assert outputs == cell["outputs"], "".join(cell["source"])


def test_a_notebook_is_a_page():
    notebook_pages = extension("notebook_pages")
    page = notebook_pages.markdown_of(notebooks.read(ROOT / "docs" / "howto" / "notebook.ipynb"))
    assert page.startswith("# In a notebook\n")
    assert "````python\nimport nando\n" in page
    assert page.count("````{raw} html\n<div") == page.count("<svg") + 1  # a table without a board
    assert "````text\n'chains'\n````" in page


def test_the_table_of_formats_is_that_of_the_registry():
    page = (ROOT / "docs/howto/formats.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \|(.*)\|$", page, re.MULTILINE)
    listed = [(name, *(part.strip() for part in rest.split("|"))) for name, rest in rows]
    assert listed == [
        (
            *(known.name, known.title, known.holds, "yes"),
            "yes" if known.write is not None else "",
            " ".join(f"`{suffix}`" for suffix in known.suffixes),
        )
        for known in FORMATS
    ]


def test_the_readme_counts_the_rules_beside_the_usual_boxes():
    said = re.findall(r"(\d+)\s+rules\]", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert said == [str(len([rule for rule in RULES if rule.name != "boxes"]))]


# Docstrings


def modules_with_examples():
    """Find modules with examples by their text, so that collecting the tests imports none."""
    package = Path(nando.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if path.name != "__main__.py" and ">>>" in path.read_text(encoding="utf-8"):
            parts = path.relative_to(package.parent).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__")


METHODS = ("nando.solvers.constraints.", "nando.solvers.people.", "nando.solvers.search.")
"""Packages whose kernels take long to compile, and which other tests run."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough) if name.startswith(METHODS) else name
        for name in modules_with_examples()
    ],
)
def test_docstrings_of_module(name):
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [
        test
        for test in finder.find(importlib.import_module(name), extraglobs=NAMES)
        if test.examples
    ]
    assert tests
    for test in tests:
        fail_on_failure(test)


def fail_on_failure(test):
    said = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)


# Pages


def python_tests():
    """Collect one test per page: its blocks share names, except those with needs."""
    for page in PAGES:
        for needs in sorted({block.needs for block in BLOCKS if block.page == page}, key=sorted):
            parts = [
                block
                for block in BLOCKS
                if (block.page, block.language, block.needs) == (page, "python", needs)
            ]
            if parts and "rule" not in needs:  # test_adding_a_rule.py runs it
                text = "\n".join(block.text for block in parts)
                test = doctest.DocTestParser().get_doctest(
                    text, {}, named(page), str(page), parts[0].line
                )
                yield pytest.param(
                    test, id=" ".join([named(page), *sorted(needs)]), marks=parts[0].marks()
                )


@pytest.mark.parametrize("test", list(python_tests()))
def test_python_of_page(test):
    assert test.examples
    fail_on_failure(test)


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(block, id=f"{named(block.page)}:{block.line}", marks=block.marks())
        for block in BLOCKS
        if block.language == "console"
        and block.page.name != "CONTRIBUTING.md"
        and "contest" not in block.needs  # tests/serve/test_howto.py plays it
    ],
)
def test_console_of_page(block, tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for line, wanted in commands_of(block.text):
        status, printed = run_line(line)
        assert (status != 0) == ("fails" in block.needs), f"$ {line}\n{printed}"
        if wanted.strip():
            assert agree(wanted, printed, figures="figures" in block.needs), (
                f"$ {line}\nwanted:\n{wanted}\ngot:\n{printed}"
            )


TABLE = """
  line  givens        time               interval  grade       percentile  made of
     2      35  3 min 32 s    19 s to 9 min 41 s  beginner           3 %  searching 2 min 30 s
     5      23  42 min 4 s  15 min to 2 h 06 min  diabolical        99 %  chains 3 min, guessing 4 s
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("3 min 32 s", "1 h 06 min", True),
        ("chains 3 min, guessing 4 s", "entering digits 12 s", True),
        ("3 min 32 s", "212 points", False),
        ("diabolical", "hard", False),
        ("99 %", "", False),
        ("chains 3 min", "chains 3 %", False),
        (TABLE[TABLE.index("     5") :], "", False),
    ],
)
def test_of_figures_columns_units_and_rows_are_compared(old, new, same):
    assert agree(TABLE, TABLE.replace(old, new), figures=True) == same
    assert not agree(TABLE, TABLE.replace(old, new), figures=False)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"\w+:", target):
            path = page.parent / target.partition("#")[0]
            assert path.exists(), f"{named(page)} links to {target}"


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("nando/datasets/descr/*.md")], ids=named)
def test_files_of_the_project_that_a_page_names_are_there(page):
    text = page.read_text("utf-8")
    for path in re.findall(r"`((?:nando|tests|benchmarks|docs)/[\w/.-]+)`", text):
        assert (ROOT / path).exists(), f"{named(page)} names {path}"
    # A page may leave out the first folders of a module.
    for end in re.findall(r"`([\w/.-]+\.py)`", text):
        places = ("nando", "tests", "benchmarks", "docs")
        assert any(
            path.as_posix().endswith(f"/{end}")
            for top in places
            for path in (ROOT / top).rglob("*.py")
        ), f"{named(page)} names {end}"


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(b, id=f"{named(b.page)}:{b.line}")
        for b in BLOCKS
        if b.language == "toml" and "rule" not in b.needs
    ],
)
def test_books_and_contests_of_pages_can_be_made(block):
    table = tomllib.loads(block.text)
    if "contest" in block.needs:
        assert read_record(Contest, table, noun="a contest").puzzles
    else:
        assert spec_of(table).parts


@pytest.mark.parametrize("described", [Contest, PuzzlePart], ids=lambda one: one.__name__)
def test_every_setting_of_a_contest_is_documented(described):
    page = (ROOT / "docs" / "howto" / "serve.md").read_text(encoding="utf-8")
    for field in dataclasses.fields(described):
        if field.name in WISHES:
            continue
        assert re.search(rf"`\[*{field.name.rstrip('_')}\]*`", page), field.name


def test_every_wish_is_in_the_table_of_the_docs():
    table = extension("wish_table").wish_table()
    for name in WISHES:
        assert f"`{name.replace('rules', 'rule')}` | " in table
    assert "{wish-table}" in (ROOT / "docs" / "howto" / "generate.md").read_text(encoding="utf-8")


def test_every_setting_of_a_book_is_documented():
    page = (ROOT / "docs" / "howto" / "book.md").read_text(encoding="utf-8")
    for part in (BookSpec, Part, Design, Include, Cover):
        for field in dataclasses.fields(part):
            name = field.name.rstrip("_")
            if part is Part and name in WISHES:
                continue
            assert re.search(rf"`\[*{name}\]*`", page), f"{part.__name__}.{name}"


def test_every_page_of_docs_is_in_a_table_of_contents():
    listed = set()
    for block in re.finditer(
        r"^```\{toctree\}\n(.*?)^```$", "".join(contents()), re.MULTILINE | re.DOTALL
    ):
        listed |= {line for line in block[1].split("\n") if line and not line.startswith(":")}
    pages = {
        path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for path in ROOT.glob("docs/**/*.md")
    }
    assert pages - {"index"} <= listed


def contents():
    """Yield the tables of contents, with names relative to docs/."""
    for path in ROOT.glob("docs/**/index.md"):
        folder = path.parent.relative_to(ROOT / "docs").as_posix()
        text = path.read_text(encoding="utf-8")
        if folder != ".":
            text = re.sub(r"^(?=\w)(?!toctree)", f"{folder}/", text, flags=re.MULTILINE)
        yield text + "\n"


# Features, continuous integration


PACKAGES = [path.parent for path in sorted(ROOT.glob("nando/*/__init__.pyi"))]


@pytest.mark.parametrize(
    "package", [p for p in PACKAGES if p.name != "reproduction"], ids=lambda path: path.name
)
def test_the_reference_has_all_that_is_public(package):
    """Classes and functions are listed automatically, other names must be described on a page."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    face = importlib.import_module(f"nando.{package.name}")
    assert f".. automodule:: {face.__name__}\n" in text
    for name in face.__all__:
        if not callable(getattr(face, name)):
            assert f".. data:: {face.__name__}.{name}\n" in text


def test_every_feature_has_its_line():
    feature_table = extension("feature_table").feature_table
    rows = [line.split(" | ") for line in feature_table().splitlines() if "|" in line]
    rows = [row for row in rows if row[0].startswith("| `")]
    features = [feature for group in GROUPS.values() for feature in group.features]
    assert [row[0] for row in rows] == [f"| `{feature.name}`" for feature in features]
    assert all(len(row) == 5 and all(cell.strip(" |") for cell in row) for row in rows)
    assert "{feature-table}" in (ROOT / "docs" / "features.md").read_text(encoding="utf-8")


def test_continuous_integration_runs_the_commands_of_the_readme():
    said = subprocess.run(
        ["bash", ROOT / ".ci" / "run", "--commands"], capture_output=True, text=True, check=True
    )
    wanted = [
        block.text.strip()
        for block in BLOCKS
        if block.page == ROOT / "README.md" and block.language == "sh"
    ]
    assert said.stdout.splitlines() == wanted
    assert "nando rate examples/puzzles.txt" in wanted[0]
    assert wanted[1].endswith("python -m pytest")
