"""``python -m nando``."""

from nando.cli import main

if __name__ == "__main__":  # workers of a contest load this module, too
    main()
