"""How large the parts of devices are: as somebody says, or as large as the devices are fast."""

from collections.abc import Sequence
from math import prod
from typing import Any

from clrng.distributions import Transform
from clrng.frontends.parallel.cuts import Cut, cuts, whole
from clrng.frontends.parallel.worker import MOST_TIMED, Worker

TIMED_FROM = 2**20
"""Values of a call from which on it is worth finding out how fast the devices are."""

SHORTEST_CUT = 1e-3
"""Arrays that the fastest device makes in fewer seconds are not cut: another launch would take longer than it saves."""

MOST_KEPT = 256
"""Rates that are kept, by kernel and size."""

SIZE_BITS = 3
"""Sizes are alike where one is at most so many powers of two larger than another: small fills of a device that needs
long ones say little of its rate."""


class Balance:
    """Cuts arrays for devices.

    Parameters
    ----------
    workers : sequence of Worker
        One for each device.
    shares : tuple of float, optional
        How large their parts are. By default that follows from rates that are measured.
    """

    def __init__(self, workers: Sequence[Worker], shares: tuple[float, ...] | None) -> None:
        self._workers, self._shares = workers, shares
        self._rates: dict[Any, tuple[float, ...]] = {}
        self._fastest = workers[0]

    def parts(self, transform: Transform, shape: tuple[int, ...]) -> list[tuple[Worker, Cut]]:
        """Return who makes which part of an array; none of them is empty."""
        weights = self._shares or self._weights(transform, prod(shape))
        parts = zip(self._workers, cuts(shape, weights), strict=True) if weights else [(self._fastest, whole(shape))]
        return [(worker, cut) for worker, cut in parts if cut.end > cut.begin]

    def _weights(self, transform: Transform, n: int) -> tuple[float, ...] | None:
        """Return how fast the devices make `n` values; None where one device alone makes them."""
        if n < TIMED_FROM or len(self._workers) == 1:
            return None
        size_class = min(n, MOST_TIMED).bit_length() // SIZE_BITS
        key = transform, size_class, tuple(worker.key for worker in self._workers)
        rates = self._rates.get(key)
        if rates is None:
            if len(self._rates) >= MOST_KEPT:
                self._rates.clear()
            rates = self._rates[key] = self._measured(transform, n)
        self._fastest = self._workers[rates.index(max(rates))]
        return rates if n > SHORTEST_CUT * max(rates) else None

    def _measured(self, transform: Transform, n: int) -> tuple[float, ...]:
        """Return the values a second of each device, where `n` are asked for; devices of one model have the same."""
        rates: dict[Any, float] = {}
        for worker in self._workers:
            if worker.model not in rates:
                rates[worker.model] = worker.rate(transform, n)
        return tuple(rates[worker.model] for worker in self._workers)
