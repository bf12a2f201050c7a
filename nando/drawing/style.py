"""The colours of steps and reports.

Marks differ in both colour and shape, so that they can be printed in grey.
"""

BLUE, GREEN, RED = "#0060a8", "#00735a", "#c64600"
BASE, COVER, CELL, PLACED = "#eaf2f9", "#fdf0e4", "#c3dcf0", "#ffe680"
