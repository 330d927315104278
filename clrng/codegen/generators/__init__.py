"""How each family of recurrences is written for a device."""

from clrng.bit_generators import LCG, BitGenerator, Coveyou, LaggedFibonacci, LinearRecurrence, MRG32k3a
from clrng.codegen.arithmetic import Arithmetic
from clrng.codegen.generators.base import GeneratorCode
from clrng.codegen.generators.coveyou import CoveyouCode
from clrng.codegen.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.codegen.generators.lcg import LCGCode
from clrng.codegen.generators.linear_recurrence import LinearRecurrenceCode
from clrng.codegen.generators.mrg32k3a import MRG32k3aCode

CODES: dict[type[BitGenerator], type[GeneratorCode]] = {
    LCG: LCGCode,
    LinearRecurrence: LinearRecurrenceCode,
    MRG32k3a: MRG32k3aCode,
    Coveyou: CoveyouCode,
    LaggedFibonacci: LaggedFibonacciCode,
}


def code_for(recurrence: BitGenerator, arithmetic: Arithmetic) -> GeneratorCode:
    """Return how `recurrence` is written in `arithmetic`, which must be exact for it.

    Raises
    ------
    TypeError
        If it is of a class that is not written for devices: neither a family that is, nor one that steps like it.
    """
    kind = type(recurrence)
    for family, code in CODES.items():
        if isinstance(recurrence, family):
            changed = [part for part in ("step", "value") if getattr(kind, part) is not getattr(family, part)]
            if changed:
                raise TypeError(
                    f"bit_generator must have the {' and '.join(changed)} of {family.__name__}, as devices have them, "
                    f"not others as the class {kind.__name__} has"
                )
            return code(recurrence, arithmetic)
    raise TypeError(
        f"bit_generator must be of a class that there is device code for, {', '.join(f.__name__ for f in CODES)} or a "
        f"subclass of one of them, not of the class {kind.__name__}; its sequence() works on the host"
    )


__all__ = ["GeneratorCode", "code_for"]
