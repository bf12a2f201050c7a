"""``python -m nando``."""

from nando.cli import main

main()
