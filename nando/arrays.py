"""The arrays that most functions take, as types."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers of any shape; the docstring of the function says which."""
