"""A wheel, a source distribution and an editable install all find the templates and the digests."""

import os
import subprocess
import sys
import tarfile
import zipfile
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


def built(kind: str, source: Path, folder: Path) -> Path:
    """Return the distribution of this kind that is built of a folder."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder, cwd=source)
    (path,) = folder.iterdir()
    return path


@pytest.mark.slow
def test_an_installed_wheel_renders_every_template_and_has_the_digests(tmp_path: Path) -> None:
    site = tmp_path / "site"
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", site]
    run(sys.executable, "-m", "pip", "install", *options, built("wheel", ROOT, tmp_path / "dist"), cwd=tmp_path)
    script = tmp_path / "render_everything.py"
    script.write_text(SCRIPT.read_text())
    said = run(sys.executable, script, cwd=tmp_path, path=site)
    assert said == f"rendered {TEMPLATES} templates of {site / 'clrng' / 'cl_kernels'}\n"
    said = run(sys.executable, "-c", DIGESTS, cwd=tmp_path, path=site)
    assert said == f"{site / 'clrng' / 'quality' / 'digests.json'} {len(digests.entries())}\n"


@pytest.mark.slow
def test_a_source_distribution_makes_the_same_wheel(tmp_path: Path) -> None:
    with tarfile.open(built("sdist", ROOT, tmp_path / "sdist")) as packed:
        packed.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    wheels = [
        zipfile.ZipFile(built("wheel", source, tmp_path / name)) for name, source in (("a", ROOT), ("b", unpacked))
    ]
    names = [sorted(wheel.namelist()) for wheel in wheels]
    assert names[0] == names[1]
    assert all(wheels[0].read(name) == wheels[1].read(name) for name in names[0])


@pytest.mark.slow
def test_the_checkout_renders_every_template_from_elsewhere(tmp_path: Path) -> None:
    assert run(sys.executable, SCRIPT, cwd=tmp_path, path=ROOT).startswith(f"rendered {TEMPLATES} templates of ")
