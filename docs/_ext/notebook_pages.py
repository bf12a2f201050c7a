"""Notebooks as pages: a source parser that reads ``.ipynb`` as the Markdown of its cells."""

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def markdown_of(notebook: dict[str, Any]) -> str:
    """Cells of a notebook as Markdown: text as it is, code in fences, what is shown below it."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts.append(_fenced("python", source))
            parts += [_shown(output) for output in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    """HTML where there is some, else the text."""
    if output["output_type"] == "stream":
        return _fenced("text", "".join(output["text"]))
    data = output["data"]
    if "text/html" in data:
        return _fenced("{raw} html", "".join(data["text/html"]))
    return _fenced("text", "".join(data["text/plain"]))


def _fenced(kind: str, text: str) -> str:
    return f"````{kind}\n{text.rstrip()}\n````"


def setup(app: "Sphinx") -> dict[str, Any]:
    """Register the parser."""
    # The tests use the conversion where Sphinx is not installed.
    from docutils import nodes
    from myst_parser.parsers.sphinx_ import MystParser

    class NotebookParser(MystParser):
        supported = ("notebook",)

        def parse(self, inputstring: str, document: nodes.document) -> None:
            super().parse(markdown_of(json.loads(inputstring)), document)

    app.setup_extension("myst_parser")
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
