"""Print the oldest versions that pyproject.toml allows of what clrng and its extras need, as constraints for pip."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r'"([\w-]+)(?:\[\w+\])?>=([\d.]+)[;"]')


def oldest(text: str) -> dict[str, str]:
    """Return the oldest version of each package that the text of a pyproject.toml names with one."""
    return dict(REQUIREMENT.findall(text.split("[project]\n")[1].split("[project.scripts]\n")[0]))


if __name__ == "__main__":
    for name, version in oldest((ROOT / "pyproject.toml").read_text()).items():
        print(f"{name}=={version}")
