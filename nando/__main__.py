"""``python -m nando``."""

from nando.cli import main

if __name__ == "__main__":  # the workers of a contest import this module
    main()
