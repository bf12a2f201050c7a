from .files import SCHEMAS as SCHEMAS
from .files import load_schema as load_schema
