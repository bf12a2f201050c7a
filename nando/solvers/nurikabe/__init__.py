"""What solvers of Nurikabe share: the coloured board and its rules."""
