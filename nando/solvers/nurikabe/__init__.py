"""The coloured board of a Nurikabe and its rules, for all its solvers."""
