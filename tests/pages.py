"""The code on the README and on the pages of the documentation: found, and run."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()


def blocks(text: str, kind: str) -> list[str]:
    """Return the code of the fenced blocks of one kind, without their options."""
    found = re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [re.sub(r"\A(:[a-z]+:.*\n)+\n", "", block) for block in found]


def run(code: str) -> str:
    """Return what code prints: Python's or, after ``%%sh``, that of a shell which has this Python's commands."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shell = code.removeprefix("%%sh\n")
    command = [sys.executable, "-c", code] if shell == code else ["sh", "-euc", shell]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    assert ran.returncode == 0, f"status {ran.returncode}: {ran.stderr}"
    return ran.stdout


def page(name: str) -> str:
    """Return what the Python of a page of the documentation prints, all in one process."""
    cells = blocks((DOCS / f"{name}.md").read_text(), "{code-cell}")
    return run("\n".join(cell for cell in cells if not cell.startswith("%%sh")))
