"""A stream without end."""

import io


class Endless(io.RawIOBase):
    """A stream of the same bytes without end."""

    def __init__(self, piece):
        super().__init__()
        self.piece = piece

    def readable(self):
        return True

    def readinto(self, buffer):
        n = min(len(buffer), len(self.piece))
        buffer[:n] = self.piece[:n]
        return n
