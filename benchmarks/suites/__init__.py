"""Benchmarks for asv: `cd benchmarks && asv run --quick --python=same`."""
