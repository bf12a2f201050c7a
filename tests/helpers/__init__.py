"""Helpers that tests share: slow oracles, plain kernels, simulated games, puzzles."""
