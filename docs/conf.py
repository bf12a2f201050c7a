"""Sphinx: Markdown and notebooks by MyST, numpydoc docstrings, the feature table from the code."""

import sys
from pathlib import Path

import nando

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "nando"
author = "The nando founders"
project_copyright = "2026, The nando founders"
version = release = nando.__version__

extensions = [
    "feature_table",
    "notebook_pages",
    "rule_gallery",
    "wish_table",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_build", "_ext"]
source_suffix = {".md": "markdown", ".ipynb": "notebook"}

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

autodoc_default_options = {
    "members": True,
    "no-value": True,
    # scikit-learn adds these to every estimator; their text links into its own pages.
    "exclude-members": "set_fit_request, set_predict_request, set_score_request, "
    "set_split_request, set_transform_request",
}
autosummary_generate = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "furo"
html_title = f"nando {release}"
html_copy_source = False
html_show_sphinx = False
