"""Feature groups stand in :mod:`nando.features` now; this path goes on working."""

from nando.moved import moved

_NAMES = ("GROUPS", "default_groups", "feature_names", "groups_of", "kinds_of")

__getattr__ = moved(__name__, dict.fromkeys(_NAMES, "nando.features"))
