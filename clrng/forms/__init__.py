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
    """Return how `recurrence` is written in `arithmetic`, which must be exact for it."""
    form = next(form for family, form in FORMS.items() if isinstance(recurrence, family))
    return form(recurrence, arithmetic)


__all__ = ["Form", "form_of"]
