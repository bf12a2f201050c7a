"""The identity of cached columns: it changes with everything that affects a number."""

import ast
import io
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from helpers.sampled import one_in

import nando
from nando.features import GROUPS, default_groups
from nando.rating import load_model, sources
from nando.rating.bank import Bank
from nando.rating.sources import (
    _NOT_FOLLOWED,
    Sources,
    _computing,
    bare,
    columns_digest,
    digest,
    ratings_digest,
)

ROOT = Path(nando.__file__).parent
MODEL = load_model()
DEFAULT = tuple(MODEL.extractor.groups)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Copy the source of nando."""
    root = tmp_path_factory.mktemp("copied") / "nando"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def change(copied):
    """Replace a text once in a file of the copy until the test ends."""
    before = {}

    def replace(name, old, new):
        path = copied / name
        text = before.setdefault(path, path.read_text())
        assert old in text
        path.write_text(text.replace(old, new, 1))
        columns_digest.cache_clear()
        ratings_digest.cache_clear()

    yield replace
    for path, text in before.items():
        path.write_text(text)
    columns_digest.cache_clear()
    ratings_digest.cache_clear()


MOVING = [
    ("exact", "kernels/seeds.py", "0x43B0D7E5", "0x43B0D7E6"),
    ("digit_sweep", "kernels/bits.py", "def lowest_bit(", "def lowest_bit_(\n"),
    ("techniques", "solvers/singles.py", "\ndef ", "\nadded = 1\ndef "),
    ("exact", "features/extractor.py", 'has_uint32": 0', 'has_uint32": 1'),
    ("exact", "features/classes.py", "digits(10 - place)", "digits(9 - place)"),
    ("exact", "puzzles/sudoku/minlex.py", "\ndef ", "\nadded = 1\ndef "),
    ("ladder_race", "features/step_seconds.json", "8.93", "8.94"),
    ("techniques", "solvers/logic/sudoku/techniques.csv", "FISH,2", "FISH,3"),
    ("nurikabe_ladder", "solvers/logic/nurikabe/river.py", "\ndef ", "\nadded = 1\ndef "),
]


@pytest.mark.parametrize(("group", "name", "old", "new"), one_in(3, MOVING))
def test_changes_that_affect_numbers_change_the_identity(copied, change, group, name, old, new):
    before = columns_digest((group,), copied)
    change(name, old, new)
    assert columns_digest((group,), copied) != before


STILL = [
    ("kernels/seeds.py", '"""', '"""Another text. '),
    ("features/classes.py", '    """', '    """Another text. '),
    ("features/classes.py", "\ndef ", "\n# another comment\ndef "),
    ("solvers/singles.py", "\ndef ", "\n# a comment\n\n\ndef "),
    ("features/step_seconds.json", "8.93", "8.94"),
    ("features/methods.py", "\ndef ", "\nadded = 1\ndef "),
    ("solvers/search/tabu.py", "\nclass ", "\nadded = 1\nclass "),
    ("kernels/streams.py", "<< 9", "<< 8"),
    ("rating/linear.py", "\nclass ", "\nadded = 1\nclass "),
    ("rating/rating.py", "\nclass ", "\nadded = 1\nclass "),
    ("puzzles/formats/text.py", "\ndef ", "\nadded = 1\ndef "),
    ("languages/en.toml", "cell", "square"),
    ("cli/app.py", "\ndef ", "\nadded = 1\ndef "),
    ("books/book.py", "\nclass ", "\nadded = 1\nclass "),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "old", "new"), STILL)
def test_nothing_else_does(copied, change, name, old, new):
    before = columns_digest(DEFAULT, copied)
    change(name, old, new)
    assert columns_digest(DEFAULT, copied) == before


def test_ratings_depend_on_their_model_too(copied, change):
    rater = type(MODEL).__module__
    before = ratings_digest(DEFAULT, rater, copied)
    change("cli/app.py", "\ndef ", "\nadded = 1\ndef ")
    assert ratings_digest(DEFAULT, rater, copied) == before
    path = f"{rater.removeprefix('nando.').replace('.', '/')}.py"
    change(path, "\nclass ", "\nadded = 1\nclass ")
    assert ratings_digest(DEFAULT, rater, copied) != before


def test_every_group_and_every_setting_counts():
    identities = [
        Bank(MODEL).identity(),
        Bank(MODEL, runs=5).identity(),
        Bank(load_model(None, "nurikabe")).identity(),
        Bank(MODEL).ratings_identity(),
    ]
    assert all(identities.count(identity) == 1 for identity in identities)
    assert Bank(MODEL, n_jobs=2, coverage=0.5).identity() == identities[0]


def test_a_feature_of_another_package_counts(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "strange_feature.py"
    path.write_text('"""Doc."""\nfrom nando.kernels.bits import n_bits\nWIDTH = 1\n')
    __import__("strange_feature")
    before = digest(["strange_feature"])
    path.write_text("from nando.kernels.bits import n_bits\nWIDTH = 1\n")
    assert digest(["strange_feature"]) == before
    path.write_text("from nando.kernels.bits import n_bits\nWIDTH = 2\n")
    assert digest(["strange_feature"]) != before
    assert "nando.kernels.bits" in Sources().reached(["strange_feature"])


def meant(source):
    """Return the tokens that Python runs: no comments, layout or strings that are statements."""
    tokens, line = [], []
    layout = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NEWLINE:
            if [kind for kind, _ in line] != [tokenize.STRING]:
                tokens += line
            line = []
        elif token.type not in layout:
            line.append((token.type, token.string))
    return tokens


def runtime_source(source):
    """Return the source without the parts that only type checkers read."""
    lines = source.splitlines(keepends=True)
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines)


@pytest.mark.thorough
@pytest.mark.parametrize("folder", ["features", "kernels", "puzzles", "rating", "solvers"])
def test_bare_source_has_all_that_python_reads(folder):
    for path in ROOT.joinpath(folder).rglob("*.py"):
        source = path.read_text()
        kept = meant(bare(source))
        assert kept == meant(runtime_source(source)), path
        assert bare(source).count("\n\n") == sum(text.count("\n\n") for _, text in kept)


COMPUTE = """
import sys
from nando.datasets import load_examples
from nando.features.extractor import FeatureExtractor
from nando.puzzles import Nurikabe
from nando.features.classes import classes_of

groups, kind = sys.argv[1].split(","), sys.argv[2]
puzzles = [Nurikabe("....4./..3.../4...../....../....../3..2..")]
if kind == "sudoku":
    puzzles = load_examples().puzzles[:2]
run = set()


def note(frame, event, _):
    file, caller = frame.f_code.co_filename, frame
    if file not in run:
        while caller is not None and "importlib" not in caller.f_code.co_filename:
            caller = caller.f_back
        if caller is None:  # no module is being loaded
            run.add(file)


sys.setprofile(note)
extractor = FeatureExtractor(groups, runs=1)
extractor.class_table(puzzles, classes_of(puzzles), extractor.columns)
sys.setprofile(None)
modules = [module for name, module in sys.modules.items() if name.startswith("nando.")]
print(*(module.__name__ for module in modules))
print(*(module.__name__ for module in modules if module.__file__ in run))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["sudoku", "nurikabe"])
def test_all_that_computes_columns_counts(kind, monkeypatch):
    """The identity covers what the source says and what a process loads and runs."""
    groups = default_groups(kind)
    command = [sys.executable, "-c", COMPUTE, ",".join(groups), kind]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded, run = (set(line.split()) for line in done.stdout.splitlines())
    packages = {name for name in loaded if ROOT.joinpath(*name.split(".")[1:]).is_dir()}
    computing = _computing(groups)
    # Finding groups by name and recognising puzzles do not affect any number.
    others = {name for name in run if name.startswith(("nando.features.groups", "nando.puzzles."))}
    assert run - packages - others <= Sources().reached(computing)
    assert len(run) > 20
    monkeypatch.setattr(sources, "_NOT_FOLLOWED", ())
    others = {name for name in loaded if name.startswith("nando.datasets.")}
    assert loaded - packages - others <= Sources().reached(computing)


def test_modules_that_are_not_followed_are_there_and_compute_nothing():
    for name in _NOT_FOLLOWED:
        path = ROOT.joinpath(*name.split(".")[1:])
        assert path.is_dir() or path.with_suffix(".py").is_file(), name
    for group in GROUPS.values():
        assert not group.rows.__module__.startswith(_NOT_FOLLOWED)
