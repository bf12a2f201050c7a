"""The directive ``wish-table``: one line per wish for new puzzles, taken from the record itself."""

import dataclasses
from typing import TYPE_CHECKING, Any

from nando.generators.wishes import Wishes
from nando.records import name_in_files

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def wish_table() -> str:
    """All wishes as Markdown."""
    rows = [
        f"| `{name_in_files(wish)}` | {wish.metadata['about']} |"
        for wish in dataclasses.fields(Wishes)
    ]
    return "\n".join(["| wish | meaning |", "|---|---|", *rows])


def setup(app: "Sphinx") -> dict[str, Any]:
    """Register the directive."""
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    class WishTable(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(wish_table())

    app.add_directive("wish-table", WishTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
