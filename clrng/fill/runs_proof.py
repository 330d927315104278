"""Proofs of kernels that store runs of a stream: what lies between the runs in memory must stay as it was."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill.runs import Axis, Runs
from clrng.generators import BitGenerator
from clrng.proof import references
from clrng.proof.fills import GUARD, check_guard, expected_values, poisoned
from clrng.proof.prove import compare
from clrng.proof.references import Stream

MakeRuns = Callable[[cla.Array, Runs, BitGenerator], Any]
"""Called with an array, runs of its memory and a bit generator, stores the runs, whose places count from where this
stands."""


LENGTH = 341
"""Values of a run, unless columns are longer."""


def sample_runs(axes: int = 2, column: int = 0, *, spaced: bool) -> Runs:
    """Return some runs along so many axes, with gaps in the stream and in memory.

    They are longer than `column` values, and where `spaced` there is memory between the values of a run.
    """
    length, spacing = max(LENGTH, column + LENGTH // 3), 3 if spaced else 1
    counts = [5, 3, *[2] * (axes - 2)][:axes] if column < LENGTH else [2] * axes
    found: list[Axis] = []
    pitch, stride = length + 29, length * spacing + 11
    for count in counts:
        found.insert(0, Axis(count, pitch, stride))
        pitch, stride = count * pitch + 17, count * stride + 5
    return Runs(2, length, tuple(found), spacing, 1)


def check_runs(queue: cl.CommandQueue, bits: BitGenerator, transform: Transform, make: MakeRuns, runs: Runs) -> None:
    """Check runs of values of `transform` from where `bits` stands."""
    if type(transform) not in references.FORMS:
        return
    stream = Stream(bits)
    places = [value + i * runs.spacing for _, value in runs for i in range(runs.length)]
    out: Any = poisoned(queue, max(places) + 1 + GUARD, transform.dtype or bits.dtype)
    make(out, runs, bits)
    made = out.get()
    expected, sure = expected_values(transform, stream, 0, runs.first + runs.span)
    wanted = np.array([place + i for place, _ in runs for i in range(runs.length)])
    at: Any = np.array(places)
    compare(f"value {bits.name} of runs", made[at], expected[wanted], sure=None if sure is None else sure[wanted])
    others = np.ones(made.size, bool)
    others[at] = False
    check_guard("between", made[others])
