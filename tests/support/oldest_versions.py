"""Print the oldest versions that pyproject.toml allows of what clrng needs, as constraints for pip."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r'"([\w-]+)(?:\[\w+\])?>=([\d.]+)[;"]')


def oldest(text: str) -> dict[str, str]:
    """Return the oldest version of each package that a text of a pyproject.toml names with one."""
    return dict(REQUIREMENT.findall(text))


if __name__ == "__main__":
    needed = (ROOT / "pyproject.toml").read_text().split("\ndependencies = ")[1].split("\n]")[0]
    for name, version in oldest(needed).items():
        print(f"{name}=={version}")
