"""Benchmarks for asv: `cd benchmarks && asv run --quick --python=same`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for `common`
