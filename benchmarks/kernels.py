"""Each solver's kernels against their own plain-Python bodies, and annealing moves per second.

Both make the same run: same puzzle, seed and number of steps, what surrounds the kernels included.
The least time over a few runs counts, compiling does not.

Run: python benchmarks/kernels.py [--seconds 2]
"""

import argparse
import importlib
import pkgutil
import time
from contextlib import contextmanager

import nando.puzzles
import nando.solvers
from nando.puzzles import Sudoku
from nando.solvers import (
    Annealing,
    BeliefPropagation,
    BruteForce,
    ChaosFlow,
    ColouringTabu,
    CuckooSearch,
    CulturalSwarm,
    DistributionEstimation,
    HarmonySearch,
    Limit,
    Multistart,
    ParticleSwarm,
    TabuSearch,
)

PUZZLE = Sudoku("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..")
"""AI Escargot, hard enough that no run ends early."""

METHODS = (
    ("simulated annealing (Lewis)", Annealing.lewis(), "move", 500_000),
    ("tabu search, alldifferent (Soto)", TabuSearch(), "iteration", 100),
    ("estimation of distribution (Maire)", DistributionEstimation(beta=0.99), "grid", 2_000),
    ("multistart colouring (Cunha)", Multistart(), "construction", 5_000),
    ("tabu colouring (Hertz, de Werra)", ColouringTabu(), "iteration", 5_000),
    ("cuckoo search (Soto)", CuckooSearch(), "generation", 100),
    ("geometric particle swarm", ParticleSwarm(), "iteration", 50),
    ("cultural swarm", CulturalSwarm(), "iteration", 50),
    ("belief propagation", BeliefPropagation(), "iteration", 50),
    ("continuous-time solver (chaos)", ChaosFlow(), "step", 100),
    ("brute force (thesis)", BruteForce(), "suggestion", 50_000),
    ("harmony search (Geem)", HarmonySearch(), "improvisation", 3_000),
)
"""Name, solver, what a step is, and steps of a run."""


@contextmanager
def plain_kernels():
    """Every kernel of nando is its Python body, wherever it was imported to."""
    kept = []
    for package in (nando.puzzles, nando.solvers):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for name, value in list(vars(module).items()):
                if hasattr(value, "py_func"):
                    kept.append((module, name, value))
                    setattr(module, name, value.py_func)
    try:
        yield
    finally:
        for module, name, value in kept:
            setattr(module, name, value)


def seconds_per_step(solver, puzzle, steps, budget):
    """The least over runs of so many steps, which are repeated for `budget` seconds."""
    least, spent = float("inf"), 0.0
    while spent < budget:
        start = time.process_time()
        run = solver.run(puzzle, limit=Limit(steps=steps), rng=1)
        elapsed = time.process_time() - start
        if run.steps < steps / 2:  # what surrounds the kernels would be most of it
            raise RuntimeError(f"{solver} ended after {run.steps} of {steps} steps")
        spent += elapsed
        least = min(least, elapsed / run.steps)
    return least


def main():
    """Print both tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="per method and way to run it")
    budget = parser.parse_args().seconds
    print("| method | a step is a | compiled, a second | plain Python, a second | ratio |")
    print("| --- | --- | ---: | ---: | ---: |")
    for name, solver, step, steps in METHODS:
        solver.run(PUZZLE, limit=Limit(steps=steps), rng=1)
        compiled = seconds_per_step(solver, PUZZLE, steps, budget)
        with plain_kernels():
            plain = seconds_per_step(solver, PUZZLE, steps, budget)
        rates = f"{1 / compiled:,.0f} | {1 / plain:,.0f} | {plain / compiled:,.0f}"
        print(f"| {name} | {step} | {rates} |", flush=True)
    print("\n| order | annealing moves a second |\n| ---: | ---: |")
    for order in (3, 4, 5):
        empty = Sudoku("." * order**4)
        moves = seconds_per_step(Annealing.lewis(), empty, 1_000_000, budget)
        print(f"| {order} | {1 / moves:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
