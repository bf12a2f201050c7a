"""A stream without end."""

import io


class Endless(io.RawIOBase):
    """The same bytes again and again."""

    def __init__(self, piece):
        super().__init__()
        self.piece = piece

    def readable(self):
        return True

    def readinto(self, buffer):
        n = min(len(buffer), len(self.piece))
        buffer[:n] = self.piece[:n]
        return n
