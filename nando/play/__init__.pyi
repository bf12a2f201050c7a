from .page import play_html as play_html
from .puzzle import PlayedPuzzle as PlayedPuzzle
