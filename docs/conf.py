"""Sphinx's configuration. Build with ``sphinx-build -W --keep-going -n docs docs/_build/html``."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import reference

import clrng

# The pages run on the processor, so that they print the same everywhere, and find the command line of this Python.
os.environ.setdefault("CLRNG_DEVICE", "Portable Computing Language")
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

project = "clrng"
author = "the clrng authors"
release = version = clrng.__version__

extensions = ["generated", "myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
exclude_patterns = ["_build", "_ext"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath", "fieldlist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 120
nb_output_stderr = "warn"
nb_merge_streams = True

nitpick_ignore_regex = [("py:obj", "[a-z_]+")]  # arguments of functions that have the names of something else too
nitpick_ignore = [
    ("py:class", "numpy.ndarray"),
    ("py:class", "pyopencl.CommandQueue"),
]  # in what PyOpenCL says of its methods

autodoc_typehints = "none"
autodoc_member_order = "groupwise"
autosummary_generate = True
autosummary_context = {"pages": reference.pages()}
toc_object_entries_show_parents = "hide"  # so that names of methods are not cut off beside a page
default_role = "autolink"
numpydoc_show_class_members = False
add_module_names = False

html_theme = "pydata_sphinx_theme"
html_title = f"clrng {release}"
html_static_path = ["_static"]
html_css_files = ["clrng.css"]
html_show_sourcelink = False
html_sidebars = {
    page: []
    for page in (
        "accuracy",
        "batteries",
        "catalogue",
        "changelog",
        "contributing",
        "design/index",
        "distributions",
        "quality",
        "trust",
    )
}
html_theme_options = {
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
}
copyright = "the clrng authors; MIT licence"  # noqa: A001  # Sphinx's name


def name_in_full(app, pagename, templatename, context, doctree):  # noqa: ANN001, ANN201, ARG001  # Sphinx's arguments
    """Give the page of a method, which is titled by its name alone, a title in the browser that says whose it is."""
    if pagename.startswith("generated/"):
        context["title"] = pagename.removeprefix("generated/clrng.")


def setup(app):  # noqa: ANN001, ANN201
    """Have Sphinx call what is above."""
    app.connect("html-page-context", name_in_full)
