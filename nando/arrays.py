"""The arrays that most functions take, as types."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers of any shape; the docstring of the function says which."""
Cells = NDArray[np.int16]
"""Numbers of cells in the order in which they are filled, shape ``(n_fills,)``."""
