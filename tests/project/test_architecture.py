"""The structure of the package beyond the contracts of import-linter, and lazy loading."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = (
    *("numba", "pandas", "sklearn", "scipy", "pyarrow", "pooch", "matplotlib"),
    *("fastapi", "sqlalchemy", "uvicorn"),
)
TO_LEARN = ("pandas", "scipy.stats", "sklearn")
"""Slow to import, and not needed to predict."""


def sources(*packages):
    return [path for package in packages for path in (ROOT / "nando" / package).glob("**/*.py")]


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def parsed(path):
    return ast.parse(text_of(path))


@cache
def imported_modules(path):
    """Return the full names of all modules that a file imports, at any depth."""
    names = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def naming(word, paths):
    """Return the files that contain a word, because reading is quicker than parsing."""
    return [path for path in paths if word in text_of(path)]


def imported(path):
    """Return the top-level names of all modules that a file imports."""
    return {name.split(".")[0] for name in imported_modules(path)}


def module_of(path):
    """Return the name of a module, or of the package that a face belongs to."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def taken_from(path):
    """Yield module and name of everything that a file imports from nando, types included."""
    package = module_of(path).split(".")
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            parts = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*parts, node.module or ""]).rstrip(".")
            for alias in node.names:
                yield module, alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, ""


def imports_between_modules():
    """Return the modules that each module imports from; a face stands for the modules behind it."""
    files = {module_of(path): path for path in sources(".")}
    behind = {
        (module_of(path), name): module
        for path in (ROOT / "nando").glob("**/__init__.pyi")
        for module, name in taken_from(path)
    }

    def source(module, name):
        if f"{module}.{name}" in files:
            return f"{module}.{name}"
        return source(behind[module, name], name) if (module, name) in behind else module

    return {
        module: {source(*taken) for taken in taken_from(path)} & files.keys() - {module}
        for module, path in files.items()
    }


def circle_in(graph):
    """Return modules that import each other in a circle; none if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


@pytest.mark.thorough
def test_no_module_is_in_a_circle():
    """No circle leads through the faces of packages, which import-linter cannot see."""
    graph = imports_between_modules()
    # The search must see names that a face re-exports and names imported for types only.
    assert "nando.puzzles.sudoku.puzzle" in graph["nando.solvers.exact.search"]
    assert "nando.puzzles.protocol" in graph["nando.drawing.boards"]
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not circle_in(graph)


@pytest.mark.parametrize(
    "package",
    ["books", "cli", "datasets", "drawing", "evaluation", "features", "games", "rating"],
)
def test_numba_stays_in_puzzles_and_solvers(package):
    files = sources(package)
    assert files
    assert not [path.name for path in naming("numba", files) if "numba" in imported(path)]


def test_internals_of_numba_are_imported_in_one_place():
    outside = {}
    for path in {*naming("numba", sources(".")), *naming("llvmlite", sources("."))}:
        private = {
            name
            for name in imported_modules(path)
            if name.split(".")[0] in ("numba", "llvmlite") and name not in PUBLIC
        }
        if private and path.parent != INTERNALS:
            outside[path.name] = private
    assert not outside
    assert any(
        "numba.core" in name for path in INTERNALS.glob("*.py") for name in imported_modules(path)
    )


INTERNALS = ROOT / "nando" / "kernels" / "internals"
PUBLIC = ("numba", "numba.extending")


def test_kernels_are_compiled_in_one_way():
    compiled = {
        path.relative_to(ROOT / "nando").as_posix()
        for path in naming("numba", sources("puzzles", "solvers", "generators"))
        if "numba" in imported(path)
    }
    assert compiled == {"solvers/exact/words.py"}, "use nando.kernels.compile.kernel"


def test_no_module_is_named_by_data():
    """What ruff does not see: it forbids `eval`, `exec`, pickles and Python's `random`."""
    assert not naming("__import__", sources("."))


def functions(tree, inside_kernel=False):
    """Yield the functions that are neither kernels nor defined inside one."""
    for node in ast.iter_child_nodes(tree):
        is_kernel = inside_kernel or any(
            ast.unparse(decorator).partition("(")[0]
            in ("kernel", "lean_kernel", "inlined_kernel", "overload", "intrinsic")
            for decorator in getattr(node, "decorator_list", [])
        )
        if isinstance(node, ast.FunctionDef) and not is_kernel:
            yield node
        yield from functions(node, is_kernel)


@pytest.mark.thorough
def test_all_but_kernels_is_annotated():
    """All other functions have annotations, also in modules that mypy skips for their kernels."""
    bare = []
    for path in sources("."):
        for function in functions(parsed(path)):
            taken = function.args
            arguments = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs]
            arguments += [star for star in (taken.vararg, taken.kwarg) if star]
            untyped = [
                a.arg for a in arguments if not a.annotation and a.arg not in ("self", "cls")
            ]
            if untyped or function.returns is None:
                bare.append(f"{path.name}:{function.lineno} {function.name} {untyped}")
    assert not bare


def loaded_by(code, packages=HEAVY):
    """Return which of some packages a fresh interpreter has loaded after running `code`."""
    probe = f"{code}\nimport sys\nprint(sorted(set({packages}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[-1]


STATUS = "from nando.puzzles import Sudoku; from nando.solvers import status"


def test_numba_is_not_imported_with_modules_of_kernels():
    assert loaded_by(STATUS, ("numba", "llvmlite")) == "[]"


@pytest.mark.thorough
def test_numba_is_imported_when_a_kernel_is_called():
    # An installed package may have a kernel that needs no numba.
    code = f"import os; os.environ['NANDO_FALLBACK_KERNELS'] = '1'; {STATUS}"
    assert loaded_by(f"{code}; status(Sudoku('.' * 81))", ("numba",)) == "['numba']"


def test_importing_nando_is_light():
    assert loaded_by("import nando") == "[]"


def test_files_without_a_book_are_told_without_importing_books():
    files = [str(ROOT / name) for name in ("nando/models/crowds.json", "examples/puzzles.txt")]
    code = f"from nando.books import find_book\nassert not any(map(find_book, {files}))"
    assert loaded_by(code, ("nando.books.book",)) == "[]"


def test_drawing_is_imported_when_a_notebook_shows_a_puzzle():
    code = "from nando.puzzles import Sudoku\npuzzle = Sudoku('.' * 81)"
    absent = "import sys\nassert 'nando.drawing' not in sys.modules"
    shown = f"{code}\n{absent}\npuzzle._repr_html_()"
    assert loaded_by(shown, ("nando.drawing", "numba")) == "['nando.drawing']"


def of_command(*arguments):
    """Return code that runs a command and fails if the command fails."""
    return (
        f"import sys, nando.cli\nsys.argv = ['nando', *{arguments}]\n"
        "try:\n    nando.cli.main()\nexcept SystemExit as end:\n    assert not end.code"
    )


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_is_light(option):
    assert loaded_by(of_command(option), (*HEAVY, "numpy")) == "[]"


@pytest.mark.thorough
def test_the_probe_sees_what_learns():
    assert "sklearn" in loaded_by("from nando.features import SolverFeatures", TO_LEARN)
    frame = f"import nando\nnando.load_model().rate([{PUZZLE}]).to_frame()"
    assert "pandas" in loaded_by(frame, TO_LEARN)


@pytest.mark.thorough
def test_nothing_that_learns_is_loaded_to_predict():
    probes = "\n".join(
        f"{code}\nassert not {set(TO_LEARN)} & set(sys.modules), {code!r}" for code in TO_PREDICT
    )
    assert loaded_by(f"import sys\n{probes}", TO_LEARN) == "[]"


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["sudoku", "nurikabe"])
def test_no_solver_of_another_kind_is_loaded(kind):
    other = {"sudoku": "nurikabe", "nurikabe": "sudoku"}[kind]
    text = {"sudoku": LINE, "nurikabe": ISLANDS}[kind]
    modules = (f"nando.solvers.exact.{other}", f"nando.solvers.people.{other}.refutation")
    assert loaded_by(f"import nando\nnando.rate('{text}')", modules) == "[]"


LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ISLANDS = "3...2./....../.....8/....../...1.2/......"
PUZZLE = f"nando.puzzles.Sudoku('{LINE}')"

TO_PREDICT = [
    "import nando.rating\nnando.rating.load_model()\nnando.rating.Bank",
    "from nando.rating import Rater, PersonModel",
    f"import nando\nassert nando.rate('{LINE}').to_dict()",
    "import nando\nassert nando.generate(minutes=8).to_dict()",
    of_command("rate", LINE),
    of_command("rate", LINE, "--format", "jsonl"),
    of_command("rate", ISLANDS, "--format", "csv"),
    of_command("features", LINE),
    of_command("solve", LINE),
    of_command("explain", LINE),
    of_command("generate", "--target", "8min"),
]
