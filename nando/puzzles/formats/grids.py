"""Collect the rows of a grid line by line, and recognise lines that are complete puzzles."""

import re
from collections.abc import Iterator

from nando.puzzles.formats.candidate_grids import puzzle_of_marks
from nando.puzzles.formats.one_line import of_kind
from nando.puzzles.formats.programs import cage_lines
from nando.puzzles.formats.table import entry_of
from nando.puzzles.lines import Entry, Line
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.sudoku.puzzle import SYMBOLS, Sudoku
from nando.puzzles.sudoku.rows import GridRows, cells_of, whole_puzzle
from nando.puzzles.variants.puzzle import Variant
from nando.puzzles.variants.text import names_grids

_RULE = re.compile(r"[-=+|*.:'`\s\u2500-\u257f]+")
_RULE_PARTS = ("--", "==", "\u2500\u2500", "\u2501\u2501", "\u2550\u2550")
_COLUMNS = re.compile(r'[,;\s"]+')
_BARS = re.compile("[,;:|\"'\\s\u2502\u2503\u2551]+")
_MOST_ROWS = 1_000
_SLASHED = re.compile(r"[0-9.?]+(/[0-9.?]+){2,}")
"""Rows of a Nurikabe on one line."""
_LONGEST_BLOCK = 1 << 20
"""Most characters of a block of rows."""


def is_frame(text: str) -> bool:
    """Return True if a line looks like a part of a frame."""
    return bool(_RULE.fullmatch(text)) and any(part in text for part in _RULE_PARTS)


def _is_blank_row(text: str, above: str) -> bool:
    """Return True if dashes are a row of blanks, as below a row that has dashes for blanks."""
    return set(text) == {"-"} and len(text) == len(above) and "-" in above


class SquareRows:
    """Rows of a Sudoku, complete when there are as many rows as columns."""

    def __init__(self, kind: type[Puzzle]) -> None:
        self._kind = kind
        self._rows = GridRows()

    @staticmethod
    def is_gap(line: str) -> bool:
        """Return True if a line separates two puzzles; tabs may be a row of empty cells."""
        return not line.strip() and len(cells_of(line)) < 2

    def is_frame(self, text: str) -> bool:
        """Return True if a line is only a part of the frame."""
        rows = self._rows.cells
        return is_frame(text) and not (rows and _is_blank_row(text, "".join(rows[-1])))

    @staticmethod
    def whole(line: str) -> str | None:
        """Return the part of a line that is a complete puzzle, perhaps a variant with its rules."""
        text = line.strip()
        if "+" in text and Variant.is_whole(text):
            return text
        return whole_puzzle(line, cells_of(line))

    @staticmethod
    def takes(line: str) -> bool:
        """Return True if a line may be a row."""
        return GridRows.may_hold(cells_of(line))

    def add(self, line: Line) -> Iterator[Entry]:
        """Add a row; yield the entry of the grid if the grid is complete."""
        self._rows.add(line.number, line.text.strip(), cells_of(line.text))
        if self._rows.complete:
            yield from self.end()

    def single(self, line: Line) -> Entry:
        """Return the entry of a line that is neither a puzzle nor a row."""
        return entry_of(line, self._kind, " ".join(cells_of(line.text)))

    def end(self) -> Iterator[Entry]:
        """Yield the entries of the rows so far, and clear the rows."""
        rows = self._rows
        if rows.size:
            yield Entry.of(rows.start, "\n".join(rows.texts), self._puzzle())
        else:
            for number, text in zip(rows.numbers, rows.texts, strict=True):
                yield self.single(Line(number, text, len(text)))
        rows.clear()

    def _puzzle(self) -> Puzzle | str:
        status = self._rows.status
        try:
            if self._rows.has_candidates:
                if status.valid:
                    return of_kind(puzzle_of_marks(self._rows.marks), self._kind)
            else:
                puzzle = self._kind.parse(self._rows.square())
                if status.valid:
                    return puzzle
        except PuzzleError as error:
            status |= error.status
        return str(status)


class Block:
    """Rows of a kind other than Sudoku, up to the next gap."""

    def __init__(self, kind: type[Puzzle]) -> None:
        self._kind = kind
        self._lines: list[Line] = []
        self._length = 0

    @staticmethod
    def is_gap(line: str) -> bool:
        """Return True if a line separates two puzzles."""
        return not line.strip()

    def is_frame(self, _: str) -> bool:
        """Return False: the puzzle class itself reads frames."""
        return False

    def whole(self, line: str) -> str | None:
        """Return the part of a line that is a complete puzzle: the whole line, or a column."""
        text = line.strip()
        if not self._kind.is_whole(text):
            return text if self._is_of_another_kind(text) else None
        columns = _COLUMNS.split(text)
        if len(columns) == 1 or self._reads(text):
            return text
        puzzles = [column for column in columns if self._kind.is_whole(column)]
        return puzzles[0] if len(puzzles) == 1 and self._reads(puzzles[0]) else text

    @staticmethod
    def _is_of_another_kind(text: str) -> bool:
        """Return True if a line is a complete puzzle of another kind, not a row or rule."""
        return "+" in text[1:] and Variant.is_whole(text)

    def _reads(self, text: str) -> bool:
        try:
            self._kind.parse(text)
        except PuzzleError:
            return False
        return True

    @staticmethod
    def takes(_: str) -> bool:
        """Return True: any line may be a row."""
        return True

    def add(self, line: Line) -> Iterator[Entry]:
        """Add a row; yield the entry of the block if the block is too long for a puzzle."""
        self._lines.append(line)
        self._length += line.length
        if len(self._lines) == _MOST_ROWS or self._length > _LONGEST_BLOCK:
            yield from self.end()

    def single(self, line: Line) -> Entry:
        """Return the entry of a line that is neither a puzzle nor a row."""
        return entry_of(line, self._kind, line.text)

    def end(self) -> Iterator[Entry]:
        """Yield the entry of the rows so far, and clear the rows."""
        if self._lines:
            text = "\n".join(line.text for line in self._lines)
            yield entry_of(Line(self._lines[0].number, text, len(text)), self._kind, text)
        self._lines.clear()
        self._length = 0


class VariantRows(Block):
    """Rows of a variant, and below them its rules, each after a ``+``, or the sums of cages.

    A row below a rule begins the next grid, and so does one below a square of rows, unless the
    rules name several grids. Nine rows of candidates are a Sukaku.
    """

    def __init__(self, kind: type[Puzzle]) -> None:
        super().__init__(kind)
        self._marked = GridRows()

    def is_frame(self, text: str) -> bool:
        """Return True if a line is only a part of the frame."""
        rows = self._lines
        return is_frame(text) and not (rows and _is_blank_row(text, rows[-1].text))

    def whole(self, line: str) -> str | None:
        """Return the part of a line that is a complete puzzle: the whole line, or a column."""
        text = line.strip()
        if self._kind.is_whole(text):
            return super().whole(line)
        columns = [word for word in _COLUMNS.split(text) if self._kind.is_whole(word)]
        if len(columns) == 1:
            return columns[0]
        # A Sudoku is a variant, too; the rows of a Nurikabe are refused as such.
        sudoku = None if _is_rule(text) else whole_puzzle(line, cells_of(line))
        return sudoku or (text if _SLASHED.fullmatch(text) else None)

    def add(self, line: Line) -> Iterator[Entry]:
        """Add a row or rule; yield the entries of the block if it is too long for a puzzle."""
        text = line.text.strip()
        self._marked.add(line.number, text, cells_of(text))
        if not _is_rule(text):
            text = "".join(_symbols(text))
        yield from super().add(Line(line.number, text, line.length))
        if self._marked.complete and self._marked.has_candidates:
            yield from self.end()

    def end(self) -> Iterator[Entry]:
        """Yield the entries of the rows so far, and clear the rows."""
        lines, self._lines = self._lines, []
        marked = self._marked
        if marked.complete and marked.has_candidates:
            puzzle = of_kind(puzzle_of_marks(marked.marks), self._kind)
            yield Entry.of(marked.start, "\n".join(marked.texts), puzzle)
            lines = []
        marked.clear()
        for part in _puzzles(lines):
            self._lines = part
            yield from super().end()
        self._length = 0


def _is_rule(text: str) -> bool:
    return text.startswith("+") or cage_lines.SUM.match(text) is not None


def _puzzles(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each puzzle: its rows, then its rules."""
    start = 0
    while start < len(lines):
        rules = next((i for i in range(start, len(lines)) if _is_rule(lines[i].text)), len(lines))
        end = next((i for i in range(rules, len(lines)) if not _is_rule(lines[i].text)), len(lines))
        if not any(names_grids(line.text) for line in lines[rules:end]):
            width = len(lines[start].text)
            square = lines[start : start + width]
            while rules - start > width == len(square) > 0 and all(
                len(row.text) == width for row in square
            ):
                yield square
                start += width
                square = lines[start : start + width]
        yield lines[start:end]
        start = end


def _symbols(row: str) -> list[str]:
    """Return the symbols of a row; numbers of two digits become letters."""
    words = [word for word in _BARS.split(row) if word]
    numbers = all(word.isdecimal() or len(word) == 1 for word in words)
    if not numbers or len(words) < 2 or max(map(len, words)) != 2:
        return words
    return [
        SYMBOLS[int(word)] if word.isdecimal() and int(word) < len(SYMBOLS) else word
        for word in words
    ]


def rows_of(kind: type[Puzzle]) -> SquareRows | Block:
    """Return a collector of rows for a kind."""
    if issubclass(kind, Sudoku):
        return SquareRows(kind)
    return VariantRows(kind) if issubclass(kind, Variant) else Block(kind)
