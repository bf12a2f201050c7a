"""The features of each kind of puzzle. A new kind is a file or folder here and one entry."""

from typing import NamedTuple

from nando.features.feature import FeatureGroup
from nando.features.nurikabe import NURIKABE_GROUPS
from nando.features.shared import EXACT
from nando.features.sudoku.givens import GIVENS
from nando.features.sudoku.ladder import LADDER_GROUPS
from nando.features.sudoku.logic import LOGIC
from nando.features.sudoku.methods import METHOD_GROUPS
from nando.features.sudoku.people import PEOPLE_GROUPS
from nando.features.sudoku.search import SEARCH_GROUPS
from nando.features.sudoku.techniques import TECHNIQUE_GROUPS
from nando.features.sudoku.thesis import THESIS_GROUPS
from nando.puzzles import Nurikabe, Sudoku


class FeaturesKind(NamedTuple):
    """The features of a kind of puzzle.

    Attributes
    ----------
    groups : tuple of FeatureGroup
        All that can be computed.
    default : tuple of str
        Names of those that are computed unless others are asked for. What pays: the table in
        docs/performance.md shows what each group adds, and costs.
    """

    groups: tuple[FeatureGroup, ...]
    default: tuple[str, ...]


KINDS: dict[str, FeaturesKind] = {
    Sudoku.kind: FeaturesKind(
        groups=(
            GIVENS,
            *PEOPLE_GROUPS,
            EXACT,
            *THESIS_GROUPS,
            LOGIC,
            *LADDER_GROUPS,
            *METHOD_GROUPS,
            *SEARCH_GROUPS,
            *TECHNIQUE_GROUPS,
        ),
        default=(
            "givens",
            "refutation",
            "dependency",
            "search_time",
            "digit_sweep",
            "ladder_race",
            "exact",
            "technique_race",
            "techniques",
        ),
    ),
    Nurikabe.kind: FeaturesKind(
        groups=(EXACT, *NURIKABE_GROUPS),
        default=("nurikabe_static", "nurikabe_ladder", "exact", "nurikabe_refutation"),
    ),
}
"""The kinds of puzzle that have features, by name."""
