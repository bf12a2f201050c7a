from .named import SCHEMAS as SCHEMAS
from .named import load_schema as load_schema
