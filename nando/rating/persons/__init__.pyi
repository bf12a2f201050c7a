from .crossed import Variances as Variances
from .known import KnownPlayers as KnownPlayers
from .model import PersonModel as PersonModel
