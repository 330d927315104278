"""The kernels of the workloads: templates of ``workloads/kernels``, rendered as strictly as clrng's own."""

from functools import cache
from pathlib import Path
from typing import Any

import pyopencl as cl
from mako.lookup import TemplateLookup

from clrng.opencl.kernel import Kernel

FOLDER = Path(__file__).parents[1] / "workloads" / "kernels"


@cache
def _lookup() -> TemplateLookup:
    return TemplateLookup([str(FOLDER)], strict_undefined=True, input_encoding="utf-8")


def render(name: str, **values: Any) -> str:
    """Return the template `name`, such as ``"ising"``, rendered with `values`.

    Raises
    ------
    NameError
        If the template uses a value that is not given.
    """
    return str(_lookup().get_template(f"{name}.cl.mako").render(**values))


def kernels(queue: cl.CommandQueue, text: str, *names: str) -> list[Kernel]:
    """Return the kernels of these names of one program, built for the context of `queue`.

    Raises
    ------
    BuildError
        If the device's compiler refuses the program.
    """
    return [Kernel(queue.context, text, name) for name in names]
