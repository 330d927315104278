"""What a record of results says of itself: which clrng was measured, and when."""

import subprocess
from pathlib import Path
from typing import Any


def commit() -> str | None:
    """Return the commit of the checkout that this is a part of, marked where files differ; None if it is in none."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()


def version(found: dict[str, Any]) -> str:
    """Return which clrng was measured, and on which day, as far as the record says so."""
    commit = f" at {found['commit']}" if found.get("commit") else ""
    return f"clrng {found['clrng']}{commit}, {found.get('date', 'of no recorded date')}"
