"""How many operations a value takes, counted by hand in the templates of ``cl_kernels``: an estimate, no more.

Scalars are counted where a work-item makes one value at a time, as on GPUs and in the baselines, and vectors as they
are written for CPUs. Counted is the arithmetic alone: no loops, addresses, stores, shuffles, moves between registers,
nor exchanges in local memory. `operations.py` says what an operation is; some are several that belong together: a
"reduction" is min(r, r - m), and "shift and xor" any two shifts or logic operations.
"""

from dataclasses import dataclass, field

Count = dict[str, float]
"""Operations by name."""


@dataclass(frozen=True)
class Counts:
    """The operations of a value in one arithmetic.

    Attributes
    ----------
    step : dict
        Of one step.
    value : dict
        Of the canonical value of a state.
    stride : dict or None
        Of a stride, by which a fill moves on; by default those of a step.
    """

    step: Count
    value: Count = field(default_factory=dict)
    stride: Count | None = None


PRODUCT, BITS32, BITS64 = "32x32 to 64 bits", "int32 shift and xor", "int64 shift and xor"
CANONICAL = {"int32 reduction": 1.0}
DIGITS = {"fp32 add": 2.0, BITS32: 0.5, "int32 add": 1.0, **CANONICAL}
"""The value of two digits in floats: two sums that leave integers in the low bits, a shift, and a sum of the two."""

MRG_VALUE = {"int32 add": 1.0, "int32 reduction": 1.0}
"""x - y, and m more where that is below 0."""

SCALARS: dict[tuple[str, str], Counts] = {
    # integer.cl.mako: the product; its low bits and high ones, and their sum; r or r - m
    ("Park-Miller", "integer"): Counts({PRODUCT: 1, BITS32: 1, "int32 add": 1, "int32 reduction": 1}),
    # double.cl.mako: q by a fused product and a subtraction, and two fused products; the value is the low bits of a sum
    ("Park-Miller", "double"): Counts({"fp64 fma": 3, "fp64 add": 1}, {"fp64 add": 1, **CANONICAL}),
    # float.cl.mako, a short step: c and k by a fused product and a subtraction each, u, v, h and l fused; a stride is
    # the product of two residues (8 sums and 10 fused), then balanced (8 sums and 2 products that are not fused)
    ("Park-Miller", "float"): Counts(
        {"fp32 fma": 6, "fp32 add": 2}, DIGITS, {"fp32 fma": 10, "fp32 product": 2, "fp32 add": 16}
    ),
    # float_nofma.cl.mako: d digits of the multiplier take 2 + 4 (d - 1) products and 2 (d - 1) sums, and d times
    # balancing, of 8 sums and 2 products; d = 2 for 16807, and 4 for a stride
    ("Park-Miller", "float-nofma"): Counts(
        {"fp32 product": 10, "fp32 add": 18}, DIGITS, {"fp32 product": 22, "fp32 add": 38}
    ),
    # limbs_2008.cl.mako: two products byte by byte (8 products, 7 sums, 4 floors of products each), the state's value
    # (3, 3), the quotient (1 and a floor), a comparison of two at least before and after, and the difference (4, 16),
    # and none of the corrections that are made in loops; a stride is made in integers, to and from bytes
    ("Park-Miller", "limbs-2008"): Counts(
        {"fp32 product": 24, "fp32 add": 37, "fp32 product and floor": 9},
        {"fp32 to integer and back": 2, BITS32: 1.5, "int32 add": 3},
        {"fp32 to integer and back": 4, "int64 multiply-add": 2, "int64 high product": 1},
    ),
    # double_2009.cl.mako: two products, the floor of another, and a difference, which is counted with the conversions
    ("Park-Miller", "double-2009"): Counts(
        {"fp64 product": 2, "fp64 product and floor": 1, "fp64 to integer and back": 1},
        {},
        {"int64 multiply-add": 2, "int64 high product": 1},
    ),
    # truncated.cl.mako
    ("LCG 2^32", "integer"): Counts({"int32 multiply-add": 1}),
    ("LCG 2^64", "integer"): Counts({"int64 multiply-add": 1}),
    # sum_double.cl.mako, of each of two recurrences: two terms fused, q fused and a subtraction, the residue fused
    ("MRG32k3a", "double"): Counts({"fp64 fma": 8, "fp64 add": 2}, {"fp64 add": 2, **MRG_VALUE}),
    # sum_short.cl.mako, of each: m - 1 - x, two terms, two shifts, two products for q m, and r or r - m in 64 bits
    ("MRG32k3a", "integer"): Counts({PRODUCT: 8, BITS32: 2, "int32 add": 2, "int64 reduction": 2}, MRG_VALUE),
    # lagged_registers.cl.mako; the other words of the state only change their names
    ("LFG 5,17", "integer"): Counts({"int32 add": 1}),
}

VECTORS: dict[tuple[str, str], Counts] = {
    **SCALARS,
    # Even and odd lanes in pairs of 64 bits: a product each, with the sum and the shift that fold it; one logic
    # operation a value, and a shift before, a shift and an or after for every second one
    ("Park-Miller", "integer"): Counts({PRODUCT: 1, BITS64: 1.25, "int32 reduction": 1}),
    # A stride is the product of two residues, then one carry, whose product and sum compilers fuse on a CPU
    ("Park-Miller", "float"): Counts(
        {"fp32 fma": 6, "fp32 add": 2}, DIGITS, {"fp32 fma": 11, "fp32 add": 11}
    ),
    # As compilers fuse products and sums: 2 + 4 (d - 1) + 2 d of the one kind, and 6 d of the other
    ("Park-Miller", "float-nofma"): Counts(
        {"fp32 product": 10, "fp32 add": 12}, DIGITS, {"fp32 product": 22, "fp32 add": 24}
    ),
    # What a product here has too much, a sum and a shift, stands for taking pairs apart and putting them together
    ("MRG32k3a", "integer"): Counts({PRODUCT: 8, "int32 add": 2, "int64 reduction": 2}, MRG_VALUE),
}  # fmt: skip


def of_registers(counts: Counts) -> Count:
    """Return the operations of a value where states only step."""
    return dict(counts.step)


def of_fill(counts: Counts, run: int | None) -> Count:
    """Return the operations of a value of a fill.

    It makes `run` values in a row and then moves on by a stride, or only moves on if that is 1; where it is None, lanes
    have blocks of their own and step all the time.
    """
    stride = counts.step if counts.stride is None else counts.stride
    parts = [(counts.value, 1.0)]
    if run is None or run > 1:
        parts.append((counts.step, 1.0))
    if run is not None:
        parts.append((stride, 1 / run))
    found: Count = {}
    for part, share in parts:
        for name, count in part.items():
            found[name] = found.get(name, 0) + share * count
    return found


def limits(count: Count, rates: dict[str, float], sizes: dict[str, int]) -> tuple[float, float]:
    """Return the values a second if operations come one after the other, and if those of different kinds overlap.

    The second is the least of what each kind allows by itself, and all of them together at the highest rate at which
    the device was seen to do elementary operations of any kind.
    """
    busiest = max(rate * sizes[name] for name, rate in rates.items())
    in_turn = 1 / sum(number / rates[name] for name, number in count.items())
    together = busiest / sum(number * sizes[name] for name, number in count.items())
    return in_turn, min(together, *(rates[name] / number for name, number in count.items()))
