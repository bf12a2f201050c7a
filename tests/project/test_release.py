"""The version and the changelog of a release; the script builds and tests the rest."""

import importlib.util
from datetime import date
from pathlib import Path

import pytest

import nando

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / ".ci" / "release.py"
NEWS = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- It sings.\n\n## [0.1.0]\n\n- First.\n"


@pytest.fixture(scope="module")
def release():
    spec = importlib.util.spec_from_file_location("release", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_written_once(release):
    text = Path(nando.__file__).read_text(encoding="utf-8")
    assert release.VERSION.search(text)[1] == nando.__version__
    assert nando.__version__ not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    later = release.raised(text, "99.0.1")
    assert later != text
    assert later.replace("99.0.1", nando.__version__) == text


@pytest.mark.parametrize("version", ["0.0.9", nando.__version__, "1.0", "2.0.0rc1", "v9.0.0", ""])
def test_a_version_that_is_not_later_is_refused(release, version):
    text = Path(nando.__file__).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=f"later than {nando.__version__}, got"):
        release.raised(text, version)


def test_unreleased_changes_move_below_the_version(release):
    assert release.cut(NEWS, "0.2.0", date(2027, 3, 2)) == NEWS.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [0.2.0] - 2027-03-02\n"
    )
    with pytest.raises(ValueError, match="no news"):
        release.cut(NEWS.replace("### Added\n\n- It sings.\n\n", ""), "0.2.0", date(2027, 3, 2))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changelog.count(release.UNRELEASED) == 1
