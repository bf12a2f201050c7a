from . import books as books
from . import datasets as datasets
from . import drawing as drawing
from . import evaluation as evaluation
from . import features as features
from . import games as games
from . import generators as generators
from . import notebook as notebook
from . import puzzles as puzzles
from . import rating as rating
from . import reproduction as reproduction
from . import schemas as schemas
from . import solvers as solvers
from .api import check as check
from .api import explain as explain
from .api import generate as generate
from .api import generate_batch as generate_batch
from .api import hint as hint
from .api import list_steps as list_steps
from .api import load_model as load_model
from .api import mistakes as mistakes
from .api import own_times as own_times
from .api import rate as rate
from .api import solve as solve
from .notebook import draw as draw

__version__: str
