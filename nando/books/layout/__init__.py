"""Sheets, styles, and the binder that collects the pages."""
