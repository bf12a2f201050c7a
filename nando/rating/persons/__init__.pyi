from .crossed import Variances as Variances
from .model import PersonModel as PersonModel
