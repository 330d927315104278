"""Methods of NumPy's `Generator` that take no fixed number of steps a value, and say so."""

from typing import Any, NoReturn

from clrng.errors import UnsupportedError


def refuse(name: str, reason: str) -> NoReturn:
    """Raise `UnsupportedError` for the method `name`."""
    raise UnsupportedError(f"{name} is not drawn by clrng: {reason}")


class RefusedDraws:
    """Methods that NumPy has and clrng has not: each raises `UnsupportedError` with the reason.

    Every value of clrng takes the same number of steps of the stream, and is the same number on every device.
    """

    def multinomial(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: a count depends on those before it, so that each would need a table of its own."""
        refuse("multinomial", "each count has the distribution of what is left; draw choice(k, (m, n), p=p) and count")

    def multivariate_hypergeometric(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: a count depends on those before it, so that each would need a table of its own."""
        refuse("multivariate_hypergeometric", "each count has the distribution of what is left")

    def dirichlet(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: it divides by a sum, which devices do not round alike."""
        refuse("dirichlet", "it divides by a sum, which devices do not round alike; draw standard_gamma and divide")

    def multivariate_normal(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: it sums products, which devices do not round alike."""
        refuse("multivariate_normal", "it sums products, which devices do not round alike; transform standard_normal")


ORDERS = "where an element goes depends on all others, so that no part can be made without them"


class RefusedOrders:
    """The methods that permute, where parts of arrays are drawn: each raises `UnsupportedError` and says what to do."""

    _whole = "Generator(rng.bit_generator, rng.queue)"
    """What makes a front end that draws whole arrays of the same stream."""

    def permutation(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: where an element goes depends on all others."""
        self._refuse_order("permutation")

    def permuted(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: where an element goes depends on all others."""
        self._refuse_order("permuted")

    def shuffle(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: where an element goes depends on all others."""
        self._refuse_order("shuffle")

    def _unreplaced(self, *_: Any) -> NoReturn:
        self._refuse_order("choice without replacement")

    def _refuse_order(self, name: str) -> NoReturn:
        refuse(name, f"{ORDERS}; {self._whole} draws the whole of it")
