"""Links and files of other programs; one module per program."""
