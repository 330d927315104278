"""What every benchmark script shares: where its results go, and what they say of the machine."""

import argparse
import json
import platform
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyopencl as cl

import clrng
from clrng.devices import describe

RESULTS = Path(__file__).parent / "results"


def arguments(about: str | None, **options: dict[str, Any]) -> argparse.Namespace:
    """Return the command line's arguments: --device, --results and those of `options`."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--device", help="index, kind or part of a name; by default the best there is")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    for name, option in options.items():
        parser.add_argument(f"--{name}", **option)
    return parser.parse_args()


def save(options: argparse.Namespace, name: str, queue: cl.CommandQueue, results: dict[str, Any]) -> Path:
    """Write results/<device>/<name>.json with the device, the driver and the command, and return its path."""
    device = describe(queue.device)
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", f"{device.platform} {device.driver} {device.name}").strip("-")
    path = options.results / slug / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {
        "device": device.name,
        "platform": device.platform,
        "driver": device.driver,
        "units": device.units,
        "clrng": clrng.__version__,
        "python": platform.python_version(),
        "command": f"python benchmarks/{name}.py",
        "options": {option: value for option, value in vars(options).items() if option != "results" and value},
    }
    path.write_text(json.dumps(about | results, indent=2) + "\n")
    print(f"-> {path}")
    return path


def curand(nbytes: int, kind: str) -> Callable[[], object] | None:
    """Return a call that fills so many bytes with cuRAND's generator of this kind, or None where there is no CuPy."""
    try:
        import cupy  # noqa: PLC0415  # only where it is installed
        from cupy_backends.cuda.libs import curand as library  # noqa: PLC0415
    except ImportError:
        return None
    out = cupy.empty(nbytes // 4, cupy.uint32)
    generator = library.createGenerator(getattr(library, f"CURAND_RNG_PSEUDO_{kind}"))

    def work() -> None:
        library.generate(generator, out.data.ptr, out.size)
        cupy.cuda.runtime.deviceSynchronize()

    return work
