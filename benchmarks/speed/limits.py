"""How close do generators come to what a device's arithmetic and its memory allow?

The rates of basic operations are measured in registers (`operations.py`), and the operations of a value counted in
the templates (`counts.py`). Together they make an estimate of the arithmetic limit: the rate if the operations of a
value came one after the other, "in turn", and the "limit" if those of different kinds overlapped at best. Beside them
stand the measured rates of steps in registers and of fills, and the write wall. A fill can be at best the lesser of the
wall and its own limit.

A rate above the limit says that a count is too high, or that the compiler made one step of several, as it may where a
step is a product and a sum of constants.
"""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, buffer_bytes, kind_of, measure, run
from harness.typical import typical

import clrng
from clrng.fill import fill
from clrng.generators.families import code_for, exact_arithmetics
from clrng.generators.generator_code import GeneratorCode
from clrng.measuring import timing
from clrng.measuring.timing import Work, filling
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.traits import LONGEST_LOOP
from speed.counts import SCALARS, VECTORS, Count, Counts, limits, of_fill, of_registers
from speed.operations import OPERATIONS, measurable, text_of, work

GENERATORS = typical("Park-Miller", "LCG 2^32", "LCG 2^64", "MRG32k3a", "LFG 5,17")
QUICK = ["MRG32k3a"]
MIB = {"gpu": 1024, "cpu": 512}
TURNS = {"gpu": 512, "cpu": 1024}
TOLERATED = 1.05
"""By what a measured rate may exceed the limit before a line says that it does."""

Rates = dict[int, dict[str, float]]
"""Operations a second by name, by the bytes of the vectors they are measured on: 64, or 0 for scalars."""

BASELINE_SHARE = 64
"""What part of the buffer baselines fill on a CPU, where they would take seconds."""


def quick_operations() -> set[str]:
    """Return the names of the operations that the generators of `QUICK` take."""
    counts = [counts for table in (SCALARS, VECTORS) for (name, _), counts in table.items() if name in QUICK]
    return {name for found in counts for name in of_fill(found, 2)}


def operation_rates(results: Results, queue: cl.CommandQueue, rounds: int, *, quick: bool) -> Rates:
    """Measure the operations, on a CPU on vectors too."""
    device = describe(queue.device)
    found: Rates = {}
    operations = {name: op for name, op in measurable(device).items() if not quick or name in quick_operations()}
    turns = 16 if quick else TURNS[kind_of(device)]
    for vector_bytes in (64, 0) if kind_of(device) == "cpu" else (0,):
        rows: dict[str, Any] = {}
        for kind, item in {"float": 4, "double": 8, "uint": 4, "ulong": 8}.items():
            chosen = {name: operation for name, operation in operations.items() if operation.type == kind}
            width = max(vector_bytes // item, 1)
            text = text_of(chosen, width)
            rows |= measure(queue, {name: work(queue, name, text, width, turns) for name in chosen}, rounds, None)
            results.add(f"operations on {'vectors' if vector_bytes else 'scalars'}", rows)
            for name in chosen:
                rate, low, high = (rows[name][what] / 1e9 for what in ("rate", "low", "high"))
                print(f"{name:26} {rate:9.2f} G/s ({low:.2f} to {high:.2f}), vectors of {width}", flush=True)
        found[vector_bytes] = {name: row["high"] for name, row in rows.items()}  # as it is to be a limit
    return found


def counted(device: DeviceInfo, name: str, code: GeneratorCode) -> tuple[Counts, int | None, int]:
    """Return the operations of a value, the values that a fill makes in a row, and the bytes of vectors."""
    width, *_ = timing.register_shape(device, code)
    table = VECTORS if width > 1 else SCALARS
    striding = code.fill_strategy == "strides"
    run = fill.choose_strides(device, code, code.value.itemsize, streaming=False).consecutive if striding else None
    return table[name, code.arithmetic.name], run, 64 if width > 1 else 0


def beside(rate: dict[str, Any], count: Count, rates: dict[str, float], sizes: dict[str, int]) -> dict[str, Any]:
    """Return a measured rate with the operations of a value and the limits that they make."""
    in_turn, limit = limits(count, rates, sizes)
    return {**rate, "operations": count, "in turn": in_turn, "limit": limit, "of limit": rate["rate"] / limit}


def row_of(
    queue: cl.CommandQueue,
    name: str,
    code: GeneratorCode,
    works: dict[str, Work],
    rounds: int,
    rates: dict[int, dict[str, float]],
) -> dict[str, Any]:
    """Return the measured rates of one generator in one arithmetic beside their limits."""
    counts, run, vector = counted(describe(queue.device), name, code)
    sizes = {what: operation.lanes if vector else operation.size for what, operation in OPERATIONS.items()}
    found = measure(queue, works, rounds)
    registers = beside(found["registers"], of_registers(counts), rates[vector], sizes)
    fill = beside(found["fill"], of_fill(counts, run), rates[vector], sizes)
    best = min(found["wall"]["rate"], fill["limit"])
    bound = "wall" if best == found["wall"]["rate"] else "arithmetic"
    fill |= {"at best": best, "bound by": bound, "of best": fill["rate"] / best}
    return {"generator": name, "arithmetic": code.arithmetic.name, **found, "registers": registers, "fill": fill}


def told(row: dict[str, Any]) -> str:
    """Return one line that says what a row does."""
    registers, fill = row["registers"], row["fill"]
    return (
        f"{row['generator']:11} {row['arithmetic']:11} "
        f"registers {registers['rate'] / 1e9:.2f} G/s ({registers['low'] / 1e9:.2f} to {registers['high'] / 1e9:.2f}), "
        f"{registers['of limit']:.2f} of {registers['limit'] / 1e9:.2f} (in turn {registers['in turn'] / 1e9:.2f}); "
        f"fill {fill['rate'] / 1e9:.2f} G/s ({fill['low'] / 1e9:.2f} to {fill['high'] / 1e9:.2f}), "
        f"{fill['ratio']:.3f} of the wall, {fill['of limit']:.2f} of {fill['limit'] / 1e9:.2f}"
        + "".join(f"; {kind} above the limit" for kind in ("registers", "fill") if row[kind]["of limit"] > TOLERATED)
    )


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds=3)
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    usual = 1 if options.quick else MIB[kind_of(device)]
    nbytes = buffer_bytes(device, options.mib, usual)
    rounds = options.rounds
    results = Results(options, "limits", queue, nbytes=nbytes, rounds=rounds)
    rates = operation_rates(results, queue, rounds, quick=options.quick)
    words = cla.Array(queue, nbytes // 4, np.uint32)
    plain = timing.wall(queue, words)
    chosen = [
        (name, bits, arithmetic)
        for name, bits in GENERATORS.items()
        for arithmetic in exact_arithmetics(device, bits)
        if not options.quick or name in QUICK
    ]
    for done, (name, bits, arithmetic) in enumerate(chosen, 1):
        code = code_for(bits, arithmetic)
        out = cla.Array(queue, nbytes // bits.dtype.itemsize, bits.dtype, data=words.base_data)
        part = out[: out.size // BASELINE_SHARE] if arithmetic.baseline and device.kind == "cpu" else out
        works = {
            "wall": Work(out.size, plain),
            "fill": filling(queue, bits, part, arithmetic.name),
            "registers": timing.stepping(queue, code, 16 if options.quick else LONGEST_LOOP),
        }
        row = row_of(queue, name, code, works, rounds, rates)
        results.add(f"{name}, {arithmetic.name}", row)
        print(f"[{done}/{len(chosen)}] {told(row)}", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
