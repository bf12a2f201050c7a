"""Notebooks of the documentation, run without Jupyter.

To write what their cells show now, run ``python -m helpers.notebooks`` in the folder ``tests`` and
look at the pages.
"""

import ast
import contextlib
import io
import json
from pathlib import Path

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs").rglob("*.ipynb"))


class Printer:
    """A stand-in for the printer that IPython passes to `_repr_pretty_`."""

    def __init__(self):
        self.written = ""

    def text(self, text):
        self.written += text


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(notebook):
    """Return the outputs of each code cell in the form of a notebook."""
    names = {"__name__": "__main__"}
    return [
        _run_cell("".join(cell["source"]), names, i)
        for i, cell in enumerate(code_cells(notebook), 1)
    ]


def _run_cell(source, names, number):
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, f"<cell {number}>", "exec"), names)
        value = None
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), names)
    outputs = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(text)})
    if value is not None:
        data = {name: _lines(text) for name, text in _bundle(value).items()}
        outputs.append(
            {
                "data": data,
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def _bundle(value):
    """Return the representations of a value by MIME type."""
    if not hasattr(value, "_repr_html_"):
        return {"text/plain": repr(value)}
    printer = Printer()
    value._repr_pretty_(printer, False)
    return {"text/html": value._repr_html_(), "text/plain": printer.written}


def _lines(text):
    return text.splitlines(keepends=True)


def main():
    """Write the outputs into all notebooks."""
    for path in NOTEBOOKS:
        notebook = read(path)
        cells = code_cells(notebook)
        for number, (cell, outputs) in enumerate(zip(cells, run(notebook), strict=True), 1):
            cell["execution_count"], cell["outputs"] = number, outputs
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
