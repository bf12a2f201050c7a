"""Commands on the program itself."""
