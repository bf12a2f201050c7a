"""The class of each format of model files, but for those that hold another model."""

from nando.rating import linear, looks, variants
from nando.rating.base import Rater
from nando.rating.linear import LinearRater
from nando.rating.looks import LooksRater
from nando.rating.scale import rater as scale
from nando.rating.scale.rater import DifficultyRater
from nando.rating.variants import VariantRater

FORMATS: dict[str, type[Rater]] = {
    scale.FORMAT: DifficultyRater,
    linear.FORMAT: LinearRater,
    looks.FORMAT: LooksRater,
    variants.FORMAT: VariantRater,
}
