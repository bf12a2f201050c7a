"""Makes a release, such as ``python .ci/release.py 0.2.0``.

Writes the version into nando/__init__.py, moves what is unreleased in CHANGELOG.md below it, and
builds the source distribution. Everything else is done with what that unpacks to, in a clean
environment: its tests, its documentation, a wheel with compiled kernels, and each command of that
wheel. Then the release is committed and tagged. Nothing is uploaded.
"""

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
UNRELEASED = "## [Unreleased]\n"


def raised(text: str, version: str) -> str:
    """Return the text of nando/__init__.py with a later version.

    Raises
    ------
    ValueError
        If it is not three numbers, or not later than the version before.
    """
    before = VERSION.search(text)
    if before is None:
        raise ValueError('nando/__init__.py has no line __version__ = "..."')
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or _numbers(version) <= _numbers(before[1]):
        raise ValueError(f"give three numbers later than {before[1]}, got {version!r}")
    return text.replace(before[0], f'__version__ = "{version}"')


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def cut(changelog: str, version: str, day: date) -> str:
    """Return the changelog with what was unreleased below a version and its date.

    Raises
    ------
    ValueError
        If nothing is unreleased.
    """
    _, found, rest = changelog.partition(UNRELEASED)
    if not found or not rest.partition("\n## [")[0].strip():
        raise ValueError(f"CHANGELOG.md has nothing below {UNRELEASED.strip()!r}: there is no news")
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day:%Y-%m-%d}\n", 1)


def main(version: str) -> None:
    """Write, build, test, commit and tag."""
    if run("git", "status", "--porcelain", output=True):
        raise ValueError("the working tree has changes: commit or remove them first")
    module, changelog = ROOT / "nando" / "__init__.py", ROOT / "CHANGELOG.md"
    texts = {path: path.read_text(encoding="utf-8") for path in (module, changelog)}
    news = raised(texts[module], version), cut(texts[changelog], version, date.today())
    try:
        for path, text in zip(texts, news, strict=True):
            path.write_text(text, encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            build(ROOT / "dist", Path(folder), version)
    except BaseException:
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
        raise
    run("git", "commit", "--all", "--message", f"Version {version}")
    run("git", "tag", f"v{version}")
    print(f"dist has version {version}: git push --follow-tags, then twine upload dist/*{version}*")


def build(dist: Path, work: Path, version: str) -> None:
    """Build the distributions of this version, and test what they unpack to."""
    run(sys.executable, "-m", "build", "--sdist", "--outdir", dist)
    with tarfile.open(dist / f"nando-{version}.tar.gz") as archive:
        archive.extractall(work, filter="data")
    source = work / f"nando-{version}"
    python = new_environment(work / "tests")
    run(python, "-m", "pip", "install", ".[test,docs]", folder=source)
    run(python, "-m", "pytest", folder=source)
    run(python, "-m", "sphinx", "-W", "-q", "docs", work / "html", folder=source)
    os.environ["NANDO_BUILD_KERNELS"] = "1"
    run(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", dist, ".", folder=source)
    files = sorted(dist.glob(f"nando-{version}*"))
    python = new_environment(work / "wheel")
    run(python, "-m", "pip", "install", f"nando[book,serve] @ {files[0].as_uri()}", folder=work)
    run(python, source / "benchmarks" / "first_use.py", "--compiled", folder=work)
    run(sys.executable, "-m", "twine", "check", "--strict", *files)


def new_environment(folder: Path) -> Path:
    """Return the Python of a new virtual environment."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def run(*command: object, folder: Path = ROOT, output: bool = False) -> str:
    """Run a command in a folder; return what it prints, if that is asked for."""
    print("$", *command, flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment | {"PYTHONSAFEPATH": "1"},
        stdout=subprocess.PIPE if output else None,
        text=True,
        check=True,
    )
    return done.stdout or ""


if __name__ == "__main__":
    try:
        (argument,) = sys.argv[1:]
        main(argument)
    except ValueError as error:
        raise SystemExit(f"{error}\nusage: python .ci/release.py VERSION") from None
