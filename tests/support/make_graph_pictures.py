"""Draw the pictures of graphs of the documentation again. Needs Graphviz.

Each variable of a page that is text in the language DOT is one picture, of the variable's name.
"""

import contextlib
import io
import sys
from pathlib import Path

from tests.support.pages import DOCS, blocks

PAGES = ("euler_graph", "graph_text", "dna")
PICTURES = DOCS / "workloads" / "pictures"


def pictures(page: str) -> tuple[dict[str, str], str]:
    """Run the Python of a page in this process; return its pictures by name, and what it prints."""
    code = "\n".join(blocks((DOCS / "workloads" / f"{page}.md").read_text(), "{code-cell}"))
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(code.replace("plt.show()", "plt.close()"), page, "exec"), names)  # the page's own
    found = {name: text for name, text in names.items() if isinstance(text, str) and text.startswith("digraph {")}
    return found, said.getvalue()


def main() -> None:
    """Write the text and the picture of each."""
    from workloads.graphs.drawing import svg  # noqa: PLC0415  # which is among the scripts

    for page in PAGES:
        for name, text in pictures(page)[0].items():
            (PICTURES / f"{name}.dot").write_text(text)
            (PICTURES / f"{name}.svg").write_text(svg(text))
            print(f"-> {PICTURES / name}.svg")


if __name__ == "__main__":
    from clrng.measuring.experiments import directory

    sys.path.insert(0, str(directory()))
    Path(PICTURES).mkdir(exist_ok=True)
    main()
