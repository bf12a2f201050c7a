from .feature import Feature as Feature
from .feature import FeatureGroup as FeatureGroup
from .groups import GROUPS as GROUPS
from .groups import default_groups as default_groups
from .groups import feature_names as feature_names
from .groups import groups_of as groups_of
from .groups import kinds_of as kinds_of
from .transformer import SolverFeatures as SolverFeatures
