"""The families that solvers know by name, and what other programs call them."""
