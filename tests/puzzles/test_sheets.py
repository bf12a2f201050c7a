"""Spreadsheets of Excel and LibreOffice: boards, tables, and files made to do harm."""

import io
import zipfile

import numpy as np
import pytest
from helpers.samples.sudokus import LINE
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import Nurikabe, Sudoku, read_puzzles
from nando.puzzles.sheets import MOST_BYTES, MOST_CELLS, sheet_lines

PUZZLE = Sudoku(LINE)
ROWS = [[int(s) if s != "." else None for s in LINE[i : i + 9]] for i in range(0, 81, 9)]


def xlsx(*sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        page = book.create_sheet()
        for r, row in enumerate(rows, 1):
            for c, value in enumerate(row, 1):
                if value is not None:
                    page.cell(r, c, value)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def ods(*sheets):
    pytest.importorskip("odf")
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    for rows in sheets:
        table = Table(name="a")
        for row in rows:
            line = TableRow()
            for value in row:
                if isinstance(value, int):
                    cell = TableCell(valuetype="float", value=value)
                    cell.addElement(P(text=str(value)))
                else:
                    cell = TableCell(valuetype="string") if value else TableCell()
                    if value:
                        cell.addElement(P(text=value))
                line.addElement(cell)
            table.addElement(line)
        document.spreadsheet.addElement(table)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


WRITERS = pytest.mark.parametrize("written", [xlsx, ods])


def read(content, kind=Sudoku):
    return list(read_puzzles(content, kind))


@WRITERS
def test_boards(written):
    """Boards are found alone, under a title, off the corner, with text digits, two on a sheet."""
    margin = [[None] * 3, [None] * 3, *([None, None, *row] for row in ROWS)]
    texts = [[str(value or "") for value in row] for row in ROWS]
    for sheet in (ROWS, [["Puzzle 3 (easy)"], *ROWS], [["Puzzle 3"], [None], *ROWS], margin, texts):
        assert [entry.puzzle for entry in read(written(sheet))] == [PUZZLE]
    found = read(written([*ROWS, [None], *ROWS], ROWS))
    assert [entry.line for entry in found] == [1, 11, 1]
    assert {entry.puzzle for entry in found} == {PUZZLE}


@WRITERS
def test_a_board_with_an_empty_row(written):
    line = "." * 9 + LINE[9:36] + "." * 9 + LINE[45:]
    rows = [[int(s) if s != "." else None for s in line[i : i + 9]] for i in range(0, 81, 9)]
    # The first row is then not the sheet's first, so the range starts with a zero.
    rows[0][0] = 0
    assert [entry.puzzle for entry in read(written(rows))] == [Sudoku(line)]


@WRITERS
def test_tables(written):
    table = [["name", "puzzle", "minutes"], ["a", LINE, 4], ["b", LINE[:80], 5], ["c", LINE, 6]]
    found = read(written(table))
    assert [entry.line for entry in found] == [2, 3, 4]
    assert [entry.puzzle for entry in found] == [PUZZLE, None, PUZZLE]
    assert "80 symbols" in found[1].error


@WRITERS
def test_nurikabes(written):
    board = [[3, ".", 2], [".", ".", "."], ["?", ".", 12]]
    (entry,) = read(written(board), Nurikabe)
    assert entry.puzzle == Nurikabe("3.2/.../?.(12)")
    (entry,) = read(written([[3, None, 2], [None, None, 1]]), Nurikabe)
    assert "'empty' at r1c2" in entry.error


values = st.one_of(
    st.none(), st.integers(-9, 99), st.sampled_from([".", "a b", "<&>", "\u00e9\U0001f600", "7"])
)


@WRITERS
@given(rows=st.lists(st.lists(values, min_size=1, max_size=6), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_cells_are_those_that_another_reader_finds(written, rows):
    from python_calamine import CalamineWorkbook

    content = written(rows)
    found = dict(sheet_lines(io.BytesIO(content), "a"))
    expected = CalamineWorkbook.from_object(io.BytesIO(content)).get_sheet_by_index(0)
    texts = [
        [str(int(v)) if isinstance(v, float) else str(v) for v in row if v != ""]
        for row in expected.to_python(skip_empty_area=False)
    ]
    for number, row in enumerate(texts, 1):
        line = found.get(number, "")
        assert [word for word in line.split(",") if word not in ("", '""')] == row


# Harm


def archive(parts, compression=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    return stream.getvalue()


def refused(content):
    with pytest.raises(ValueError, match=r"^input: ") as caught:
        read(content)
    assert len(str(caught.value)) < 300
    return str(caught.value)


@WRITERS
def test_damage(written):
    content = written([["name", "puzzle"], ["a", LINE]])
    rng = np.random.default_rng(2)
    for at in rng.integers(5, len(content), 120).tolist():
        changed = bytes([*content[:at], content[at] ^ 0x55, *content[at + 1 :]])
        for damaged in (content[:at], changed):
            try:
                read(damaged)
            except ValueError as error:
                assert str(error).startswith("input: ")  # noqa: PT017
                assert len(str(error)) < 400  # noqa: PT017


def test_other_archives():
    assert "a zip archive, not .xlsx or .ods" in refused(archive({"a.txt": LINE}))
    assert "damaged spreadsheet" in refused(b"PK\3\4")


def sheet(rows):
    return {"xl/workbook.xml": "<workbook/>", "xl/worksheets/sheet1.xml": f"<worksheet>{rows}"}


@pytest.mark.thorough
def test_too_large_contents_are_refused():
    space = " " * (MOST_BYTES + 1)
    assert "unpacks to more than 64 MiB" in refused(archive(sheet(space)))
    assert "unpacks to more than 64 MiB" in refused(archive({"content.xml": f"<a>{space}"}))


def test_a_part_that_is_larger_than_it_states_is_refused():
    size = 100_000
    packed = archive({"content.xml": "<a>" + " " * (size - 3)})
    stated = packed.replace(size.to_bytes(4, "little"), (1_000).to_bytes(4, "little"))
    assert stated != packed
    assert "damaged spreadsheet" in refused(stated)


def test_cells_far_off():
    """Two cells in opposite corners are read as two cells, not as billions."""
    cells = '<row><c r="A1"><v>1</v></c></row><row><c r="XFD1048576"><v>2</v></c></row>'
    found = read(archive(sheet(f"{cells}</worksheet>")))
    assert [entry.puzzle for entry in found] == [None, None]
    row = '<row r="{0}"><c r="A{0}"><v>1</v></c><c r="XFD{0}"><v>1</v></c></row>'
    ends = "".join(row.format(number) for number in range(1, 99))
    assert "clear the cells far to the right" in refused(archive(sheet(f"{ends}</worksheet>")))


@pytest.mark.thorough
def test_repeated_cells():
    """One element of an .ods file may stand for a million rows of a thousand cells."""
    cell = '<c:table-cell c:number-columns-repeated="{}"><p>5</p></c:table-cell>'
    row = '<c:table-row c:number-rows-repeated="{}">{}</c:table-row>'
    head = '<a xmlns:c="x"><c:table>{}</c:table></a>'
    for n_rows, n_columns in ((9_999_999, 1_024), (1, 9_999_999), (1_048_576, 1)):
        content = head.format(row.format(n_rows, cell.format(n_columns)))
        assert f"more than {MOST_CELLS:,}" in refused(archive({"content.xml": content}))
    empty = row.format(1_048_576, '<c:table-cell c:number-columns-repeated="16384"/>')
    filled = row.format(1, f"{cell.format(9)}")
    content = head.format(empty + filled)
    assert len(read(archive({"content.xml": content}))) == 1


def test_document_types():
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    assert "DOCTYPE" in refused(archive({"content.xml": bomb}))
    assert "DOCTYPE" in refused(archive(sheet("") | {"xl/sharedStrings.xml": bomb}))
