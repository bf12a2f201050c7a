"""Spreadsheets, read as lines of CSV."""
