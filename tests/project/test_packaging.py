"""A wheel, a source distribution and an editable install all find the templates and the digests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clrng.quality import digests

ROOT = Path(__file__).parents[2]
TEMPLATES = len(list((ROOT / "cl_kernels").rglob("*.mako")))
SCRIPT = ROOT / "tests" / "support" / "render_everything.py"
DIGESTS = "from clrng.quality import digests; print(digests.path(), len(digests.entries()))"


def run(*command: object, cwd: Path, path: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(path or ""), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    ran = subprocess.run(list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_an_installed_distribution_renders_every_template_and_has_the_digests(kind: str, tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", tmp_path / "dist", cwd=ROOT)
    (built,) = (tmp_path / "dist").iterdir()
    site = tmp_path / "site"
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", site]
    run(sys.executable, "-m", "pip", "install", *options, built, cwd=tmp_path)
    script = tmp_path / "render_everything.py"
    script.write_text(SCRIPT.read_text())
    said = run(sys.executable, script, cwd=tmp_path, path=site)
    assert said == f"rendered {TEMPLATES} templates of {site / 'clrng' / 'cl_kernels'}\n"
    said = run(sys.executable, "-c", DIGESTS, cwd=tmp_path, path=site)
    assert said == f"{site / 'clrng' / 'quality' / 'digests.json'} {len(digests.entries())}\n"


@pytest.mark.slow
def test_the_checkout_renders_every_template_from_elsewhere(tmp_path: Path) -> None:
    assert run(sys.executable, SCRIPT, cwd=tmp_path, path=ROOT).startswith(f"rendered {TEMPLATES} templates of ")
