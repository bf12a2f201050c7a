"""The colours of steps and reports.

Everything is told apart twice, by colour and by form, so that it also reads in grey.
"""

BLUE, GREEN, RED = "#0060a8", "#00735a", "#c64600"
BASE, COVER, CELL, PLACED = "#eaf2f9", "#fdf0e4", "#c3dcf0", "#ffe680"
