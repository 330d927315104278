"""What devices like stands in one table: no name of a platform elsewhere, and GPUs unless a device is a CPU."""

import re
from dataclasses import replace
from pathlib import Path

import clrng
from clrng.opencl import traits
from clrng.opencl.pocl_cpu_name import PLATFORM
from clrng.opencl.traits import CPU, GPU, PLATFORMS, traits_of

PACKAGE = Path(traits.__file__).parents[1]


def test_platforms_are_looked_up_by_their_kind(device: clrng.DeviceInfo) -> None:
    for kind, usual in {"cpu": CPU, "gpu": GPU, "accelerator": GPU}.items():
        assert traits_of(replace(device, kind=kind, platform="another one")) == usual
        for platform, of in PLATFORMS:
            found = traits_of(replace(device, kind=kind, platform=platform))
            assert found == PLATFORMS.get((platform, "cpu" if kind == "cpu" else "gpu"), usual)
            assert of in ("cpu", "gpu")


def test_no_kind_is_asked_for_elsewhere() -> None:
    names = "|".join(re.escape(name) for name, _ in PLATFORMS if name != PLATFORM)
    for path in PACKAGE.rglob("*.py"):
        if path.name != "traits.py":
            assert not re.search(rf'kind [!=]= "(cpu|gpu)"|"({names})"', path.read_text()), path


def test_where_loops_are_short_work_items_are_many() -> None:
    """One that does much alone, as a CPU's work-item that sorts a bucket, would take too many turns."""
    assert all(each.side_by_side for each in PLATFORMS.values() if each.short_loops)
    assert any(each.short_loops for each in PLATFORMS.values())
