"""How each family of recurrences is written for a device."""

from clrng.arithmetic import Arithmetic
from clrng.forms.coveyou import CoveyouForm
from clrng.forms.form import Form
from clrng.forms.lagged_fibonacci import LaggedFibonacciForm
from clrng.forms.lcg import LCGForm
from clrng.forms.linear import LinearForm
from clrng.forms.mrg32k3a import MRG32k3aForm
from clrng.recurrences import LCG, BitGenerator, Coveyou, LaggedFibonacci, LinearRecurrence, MRG32k3a

FORMS: dict[type[BitGenerator], type[Form]] = {
    LCG: LCGForm,
    LinearRecurrence: LinearForm,
    MRG32k3a: MRG32k3aForm,
    Coveyou: CoveyouForm,
    LaggedFibonacci: LaggedFibonacciForm,
}


def form_of(recurrence: BitGenerator, arithmetic: Arithmetic) -> Form:
    """Return how `recurrence` is written in `arithmetic`, which must be exact for it.

    Raises
    ------
    TypeError
        If it is of a class that is not written for devices: neither a family that is, nor one that steps like it.
    """
    kind = type(recurrence)
    for family, form in FORMS.items():
        if isinstance(recurrence, family):
            changed = [part for part in ("step", "value") if getattr(kind, part) is not getattr(family, part)]
            if changed:
                raise TypeError(
                    f"bit_generator must have the {' and '.join(changed)} of {family.__name__}, as devices have them, "
                    f"not others as the class {kind.__name__} has"
                )
            return form(recurrence, arithmetic)
    raise TypeError(
        f"bit_generator must be of a class that there is device code for, {', '.join(f.__name__ for f in FORMS)} or a "
        f"subclass of one of them, not of the class {kind.__name__}; its sequence() works on the host"
    )


__all__ = ["Form", "form_of"]
