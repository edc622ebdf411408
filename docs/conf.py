"""Build the site: `sphinx-build -W --keep-going docs build/site`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import ono99_env

project = "ono99-env"
author = "ONO99-env contributors"
copyright = author  # noqa: A001 - the name that Sphinx reads
release = version = ono99_env.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "backticks",
    "notebooks",
    "pages_elsewhere",
]
exclude_patterns = ["_extensions"]
html_theme = "furo"
html_title = f"ono99-env {release}"


# The anchors of GitHub, so that a link works on both: ![](rules.md#all-options).
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

autodoc_typehints = "signature"
# OpenSpiel is large, and only its base classes are needed here.
autodoc_mock_imports = ["pyspiel", "open_spiel"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
# Aliases such as RulesArgument are shown by their name and not by all that they stand for.
autodoc_type_aliases = {
    name: name for name in ("RulesArgument", "Opponents", "OnIllegal", "RenderMode", "States")
}
python_display_short_literal_types = True
python_maximum_signature_line_length = 88
napoleon_numpy_docstring = False
napoleon_use_rtype = False

# Blocks of output hold text of no language.
highlight_language = "text"
copybutton_exclude = ".linenos, .gp, .go"

# External links are checked by `sphinx-build -b linkcheck`, which needs the internet.
linkcheck_timeout = 20
linkcheck_retries = 2
