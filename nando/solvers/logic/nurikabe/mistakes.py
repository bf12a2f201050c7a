"""What is wrong in a half-shaded Nurikabe, told against its solution."""

import numpy as np

from nando.puzzles import Values
from nando.puzzles.nurikabe.puzzle import BLACK
from nando.puzzles.protocol import Fault, FaultKind
from nando.solvers.logic.explanation import first_listed
from nando.solvers.logic.nurikabe.shading import Shading


def mistakes(shading: Shading, solution: Values) -> list[Fault]:
    """Cells of the wrong colour, in a sentence."""
    wrong = np.flatnonzero((shading.values > 0) & (shading.values != solution)).tolist()
    if not wrong:
        return []
    name = shading.puzzle.cell_name
    told = [
        f"{name(cell)} is not {'black' if shading.values[cell] == BLACK else 'white'}"
        for cell in wrong
    ]
    return [Fault(FaultKind.WRONG_ENTRY, f"wrong entry: {first_listed(told)}", tuple(wrong))]
