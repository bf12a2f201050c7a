"""The shape of the package: which way imports point, and what loads when."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = ("numba", "pandas", "sklearn", "scipy", "pyarrow", "pooch", "matplotlib")


def sources(*packages):
    return [path for package in packages for path in (ROOT / "nando" / package).glob("**/*.py")]


def imported(path):
    """Top-level names of everything a file imports, wherever in the file it does."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_arrows_point_down():
    pytest.importorskip("importlinter", reason="import-linter is not installed (nando[dev])")
    script = Path(sys.executable).parent / "lint-imports"
    run = subprocess.run(
        [script, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "kept, 0 broken" in run.stdout


@pytest.mark.parametrize(
    "package",
    ["books", "cli", "datasets", "drawing", "evaluation", "features", "games", "rating"],
)
def test_numba_stays_in_puzzles_and_solvers(package):
    files = sources(package)
    assert files
    assert not [path.name for path in files if "numba" in imported(path)]


INTRINSICS = ("lanes.py",)
"""What kernels do that numba has no word for: written in machine code, and in plain Python."""


def test_kernels_are_compiled_in_one_way():
    compiled = [
        path.name
        for path in sources("puzzles", "solvers")
        if "numba" in imported(path)
        and path.name not in ("_kernel.py", "_kernel_cache.py", *INTRINSICS)
    ]
    assert not compiled, "use nando.kernels.compile.kernel"


def test_nothing_draws_from_a_global_state():
    for path in sources("."):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in (
                "np.random",
                "numpy.random",
            ):
                assert node.attr in ("Generator", "PCG64", "SeedSequence", "default_rng"), path
            if isinstance(node, ast.Import):
                assert "random" not in {alias.name for alias in node.names}, path


def functions(tree, inside_kernel=False):
    """Functions that are no kernels and stand in none."""
    for node in ast.iter_child_nodes(tree):
        is_kernel = inside_kernel or any(
            ast.unparse(decorator).partition("(")[0]
            in ("kernel", "lean_kernel", "inlined_kernel", "overload", "intrinsic")
            for decorator in getattr(node, "decorator_list", [])
        )
        if isinstance(node, ast.FunctionDef) and not is_kernel:
            yield node
        yield from functions(node, is_kernel)


def test_all_but_kernels_is_annotated():
    bare = []
    for path in sources("."):
        for function in functions(ast.parse(path.read_text(encoding="utf-8"))):
            taken = function.args
            arguments = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs]
            arguments += [star for star in (taken.vararg, taken.kwarg) if star]
            untyped = [
                a.arg for a in arguments if not a.annotation and a.arg not in ("self", "cls")
            ]
            if untyped or function.returns is None:
                bare.append(f"{path.name}:{function.lineno} {function.name} {untyped}")
    assert not bare


def loaded_by(code):
    """Which heavy packages a fresh interpreter has loaded after running `code`."""
    probe = f"{code}\nimport sys\nprint(sorted(set({HEAVY}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[-1]


def test_the_probe_sees_what_is_loaded():
    assert "numba" in loaded_by("from nando.solvers import SOLVERS")


def test_importing_nando_is_light():
    assert loaded_by("import nando") == "[]"


def test_help_is_light():
    code = (
        "import sys, nando.cli\nsys.argv = ['nando', '--help']\n"
        "try:\n    nando.cli.main()\nexcept SystemExit as end:\n    assert not end.code"
    )
    assert loaded_by(code) == "[]"
