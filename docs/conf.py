"""Sphinx configuration: Markdown pages, API pages from docstrings, no network."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "plugins")]

from sphinx.util.inspect import TypeAliasForwardRef  # noqa: E402

from revkit import __version__  # noqa: E402

project = "revkit"
author = "The revkit authors"
copyright = "The revkit authors"
version = release = __version__

# No napoleon: docstrings have no sections, and it takes "X: text" of a property for a type.
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "templates"]
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
add_module_names = False
nitpicky = False

html_theme = "furo"
html_title = "revkit"
html_show_sphinx = False

autodoc_type_aliases = {"Json": "Json"}
# Within another type, Sphinx prints the representation of an alias instead of its name.
TypeAliasForwardRef.__repr__ = lambda self: self.name  # type: ignore[method-assign]
html_theme_options = {"light_css_variables": {"font-size--code": "0.8125em"}}

# docs/site.py builds all versions of the site, each with links to the others.
templates_path = ["templates"]
html_context = {
    "site_versions": os.environ.get("REVKIT_DOCS_VERSIONS", "").split(),
    "site_version": os.environ.get("REVKIT_DOCS_VERSION", ""),
}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "versions.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
