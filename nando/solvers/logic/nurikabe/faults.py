"""The faults of a partly coloured Nurikabe, in words."""

from collections.abc import Iterator, Sequence

from nando.puzzles.nurikabe.puzzle import BLACK, WHITE, Nurikabe


def contradiction_of(puzzle: Nurikabe, colours: Sequence[int]) -> str:
    """The first rule that a board can no longer keep, as the end of a sentence.

    Parameters
    ----------
    puzzle : Nurikabe
    colours : sequence of int
        By cell: 1 white, 2 black, 0 open.
    """
    for fault in (*_pools(puzzle, colours), *_islands(puzzle, colours), *_river(puzzle, colours)):
        return fault
    return "an island would not have room enough"


def _pools(puzzle: Nurikabe, colours: Sequence[int]) -> Iterator[str]:
    n_rows, n_columns = puzzle.shape
    for row in range(n_rows - 1):
        for column in range(n_columns - 1):
            cell = row * n_columns + column
            block = (cell, cell + 1, cell + n_columns, cell + n_columns + 1)
            if all(colours[other] == BLACK for other in block):
                yield f"the 2x2 block from {puzzle.cell_name(cell)} on would be all river"


def _islands(puzzle: Nurikabe, colours: Sequence[int]) -> Iterator[str]:
    numbers = puzzle.numbers.tolist()
    for part, beside in _parts(puzzle, colours, (WHITE,)):
        numbered = [cell for cell in part if numbers[cell]]
        is_shut_in = all(colours[cell] for cell in beside)
        if len(numbered) > 1:
            one, two = (puzzle.cell_name(cell) for cell in numbered[:2])
            yield f"the islands of {one} and {two} would be joined"
        elif numbered:
            wanted = numbers[numbered[0]]
            name = f"the island of the {wanted} at {puzzle.cell_name(numbered[0])}"
            if 0 < wanted < len(part):
                yield f"{name} would have {len(part)} cells"
            elif len(part) < wanted and is_shut_in:
                yield f"{name} would be shut in with {len(part)}"
        elif is_shut_in:
            yield f"{puzzle.cell_name(part[0])} would be white without a number"


def _river(puzzle: Nurikabe, colours: Sequence[int]) -> Iterator[str]:
    parts = [part for part, _ in _parts(puzzle, colours, (0, BLACK))]
    if sum(any(colours[cell] == BLACK for cell in part) for part in parts) > 1:
        yield "the river would fall apart"


def _parts(
    puzzle: Nurikabe, colours: Sequence[int], wanted: tuple[int, ...]
) -> Iterator[tuple[list[int], set[int]]]:
    """Joined cells of these colours, in order, and the cells beside them."""
    n_rows, n_columns = puzzle.shape
    seen: set[int] = set()
    for start in range(puzzle.n_cells):
        if colours[start] not in wanted or start in seen:
            continue
        part, beside = [start], set()
        seen.add(start)
        for cell in part:
            row, column = divmod(cell, n_columns)
            near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
            for r, c in near:
                other = r * n_columns + c
                if not (0 <= r < n_rows and 0 <= c < n_columns) or other in seen:
                    continue
                if colours[other] in wanted:
                    seen.add(other)
                    part.append(other)
                else:
                    beside.add(other)
        yield sorted(part), beside
