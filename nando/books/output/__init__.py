"""Books laid out, written to files: PDF, HTML, and a contact sheet."""
