"""The five-line API: load a model, and rate, explain, solve or generate puzzles, each in a call.

Puzzles are given as text or as :class:`nando.puzzles.Puzzle`; results are objects of the packages.
A call imports what it needs when it runs, so that a rating does not wait for what makes puzzles.
"""

from nando.api.logic import explain, list_steps
from nando.api.making import generate
from nando.api.models import load_model
from nando.api.rating import rate
from nando.api.solving import solve

__all__ = ["explain", "generate", "list_steps", "load_model", "rate", "solve"]
