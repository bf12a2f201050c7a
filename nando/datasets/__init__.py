"""Data: human solving times, move logs, rated banks, and the examples that ship.

``load_*`` reads what ships with nando. ``fetch_*`` reads published files: from the folder that
``NANDO_DATA`` names, else from the user's cache, else it downloads them and checks their SHA-256.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
