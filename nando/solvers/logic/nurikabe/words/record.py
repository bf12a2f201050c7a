"""Steps on a Nurikabe as plain values."""

from typing import Any

from nando.solvers.logic.language import Words
from nando.solvers.logic.nurikabe.shading import Shading
from nando.solvers.logic.nurikabe.step import NurikabeStep
from nando.solvers.logic.nurikabe.words.names import COLOURS, Names
from nando.solvers.logic.nurikabe.words.sentences import contradiction


def record(step: NurikabeStep, shading: Shading, words: Words) -> dict[str, Any]:
    """The pattern and the conclusion; cells and colours by name.

    All but the contradiction is for programs, and the same in every language.
    """
    name = shading.puzzle.cell_name
    return {
        "cells": [name(cell) for cell in step.cells],
        "colour": COLOURS[step.colour],
        "reason": [name(cell) for cell in step.reason],
        "supposed": [[name(cell), COLOURS[colour]] for cell, colour in step.supposed],
        "contradiction": contradiction(step, Names(words, shading.puzzle)),
    }
