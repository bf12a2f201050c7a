"""Functions that load a model, and rate, explain, solve or generate puzzles in one call.

Puzzles are text or :class:`nando.puzzles.Puzzle`; results are objects of nando's packages. A
function imports what it needs when it is called, so a rating does not wait for the generators.
"""

from nando.api.checking import Finding, check
from nando.api.generate import generate, generate_batch
from nando.api.logic import explain, hint, lessons, list_steps, mistakes
from nando.api.rating import load_model, own_times, rate
from nando.api.solving import solve

__all__ = [
    "Finding",
    "check",
    "explain",
    "generate",
    "generate_batch",
    "hint",
    "lessons",
    "list_steps",
    "load_model",
    "mistakes",
    "own_times",
    "rate",
    "solve",
]
