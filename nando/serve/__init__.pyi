from .contest import Contest as Contest
from .contest import ContestPuzzle as ContestPuzzle
from .contest import PuzzlePart as PuzzlePart
from .contest import puzzles_of as puzzles_of
from .contest import read_contest as read_contest
from .server import Server as Server
from .server import back_up_contest as back_up_contest
from .server import contest_log as contest_log
