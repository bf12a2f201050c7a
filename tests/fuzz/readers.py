"""Every reader that is fuzzed, and the rule that each must keep.

A reader raises only ``ValueError`` and ``OSError``, with a message. What it accepts can be used,
and what can be written is read back the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from fuzz.target import Target
from fuzz.targets import files, models, published, puzzles

from nando.solvers.exact.houses import HouseSearch

TARGETS: dict[str, Target] = {
    target.name: target
    for subject in (puzzles, models, files, published)
    for target in subject.TARGETS
}


@contextmanager
def eased() -> Iterator[None]:
    """Skip checks of hashes, which no fuzzer can guess, and shorten searches for solutions."""
    with (
        mock.patch("nando.rating.files.check_identity"),
        mock.patch.object(HouseSearch, "patience", 100),
    ):
        yield
