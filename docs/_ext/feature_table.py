"""The directive ``feature-table``: one line per feature, taken from the code that computes it."""

from typing import TYPE_CHECKING, Any

from nando.features.groups import GROUPS, default_groups, kinds_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def feature_table() -> str:
    """All feature groups as Markdown."""
    parts = []
    for group in GROUPS.values():
        runs = f", {group.runs} runs" if group.runs > 1 else ""
        known = kinds_of([group.name])
        kinds = " and ".join(kind.capitalize() for kind in known)
        chosen = [kind for kind in known if group.name in default_groups(kind)]
        default = "computed by default" if chosen else "on request"
        if chosen and len(chosen) < len(known):
            default += f" for {chosen[0].capitalize()}"
        parts.append(f"**`{group.name}`** ({kinds}; {default}{runs})\n")
        parts.append(
            "| feature | definition | unit | larger means | source |\n|---|---|---|---|---|"
        )
        for feature in group.features:
            cells = (
                f"`{feature.name}`",
                feature.definition,
                feature.unit,
                feature.direction,
                feature.source,
            )
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        parts.append("")
    return "\n".join(parts)


def setup(app: "Sphinx") -> dict[str, Any]:
    """Register the directive."""
    # The tests use the table where Sphinx is not installed.
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    class FeatureTable(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(feature_table())

    app.add_directive("feature-table", FeatureTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
