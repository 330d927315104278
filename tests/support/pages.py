"""The code on the README and on the pages of the documentation: found, and run."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()


def blocks(text: str, kind: str) -> list[str]:
    """Return the code of the fenced blocks of one kind, without their options."""
    found = re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [re.sub(r"\A(:[a-z]+:.*\n)+\n", "", block) for block in found]


def run(code: str) -> str:
    """Return what Python's code prints."""
    return printed([sys.executable, "-c", code])


def shell(command: str) -> str:
    """Return what a command of the shell prints that may be one of this Python's."""
    return printed(["sh", "-euc", command])


def printed(command: list[str]) -> str:
    """Return what a command prints; it must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    assert ran.returncode == 0, f"status {ran.returncode}: {ran.stderr}"
    return ran.stdout


def page(name: str) -> str:
    """Return what the Python of a page of the documentation prints, all in one process."""
    cells = blocks((DOCS / f"{name}.md").read_text(), "{code-cell}")
    return run("\n".join(cells))
