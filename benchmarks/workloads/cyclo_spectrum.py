"""How long does the cyclo-spectrum of a peptide of thousands of amino acids take?

It has, in order, the masses of all pieces of the ring, which are n (n - 1), and 0 and the mass of the whole. A piece is
the difference of two sums of masses up to a place, so that a scan, one kernel and a sort of `clrng.order` make it.
The sort goes by no more bits than the largest mass has. Beside it stands NumPy on one core of the host. A rate is in
masses a second.
"""

from functools import partial

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, kind_of, measure, run
from harness.device_arrays import result
from harness.kernels import kernels, render

import clrng
from clrng import order
from clrng.measuring.timing import Work
from clrng.opencl.devices import describe
from clrng.validation import integer, shown

MASSES = np.array([57, 71, 87, 97, 99, 101, 103, 113, 114, 115, 128, 129, 131, 137, 147, 156, 163, 186], np.uint32)
"""Whole masses of amino acids, in daltons; two pairs have one mass."""

SIZES = {"gpu": [1000, 3000, 10000, 17000], "cpu": [1000, 3000, 6000]}
QUICK = [100]
GROUP = {"gpu": 256, "cpu": 1}
NUMPY_LARGEST = 6000
"""The longest peptide that NumPy is timed with."""

LONGEST, HEAVIEST = 2**15, 2**16 - 1
"""Amino acids, and the mass of one, so that sums of twice as many stay below 2^32."""

SEED = 2026
SHORTEST = 0.02
"""Seconds of one timing."""


class CycloSpectrum:
    """Makes the cyclo-spectra of peptides of one length.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    n : int
        Amino acids, 2 to 32768.

    Raises
    ------
    TypeError, ValueError
        If `n` is no such integer.
    """

    def __init__(self, queue: cl.CommandQueue, n: int) -> None:
        self._queue, self._n = queue, integer("n", n, 2, LONGEST)
        self._group = min(GROUP[kind_of(describe(queue.device))], queue.device.max_work_group_size)
        (self._weigh,) = kernels(queue, render("cyclo_spectrum", n=n, group_size=self._group), "weigh")

    def spectrum(self, peptide: npt.ArrayLike, out: cla.Array | None = None) -> cla.Array:
        """Return the masses of all pieces of a ring, of none, and of the whole, in order.

        Parameters
        ----------
        peptide : array_like of int, shape (n,)
            Masses from 0 to 65535.
        out : pyopencl.array.Array of uint32, shape (n * (n - 1) + 2,), optional

        Returns
        -------
        pyopencl.array.Array of uint32, shape (n * (n - 1) + 2,)
            `out` if it is given.

        Raises
        ------
        TypeError, ValueError
            If `peptide` or `out` is not as above.
        """
        masses = self._masses(peptide)
        out = result(self._queue, out, np.uint32, self._n * (self._n - 1) + 2)
        sums = order.cumsum(cla.to_device(self._queue, np.tile(masses, 2)), np.uint32, exclusive=True)
        self._weigh(self._queue, self._group * (self._n - 1), self._group, sums.data, out.data)
        return order.sort(out, bits=(0, max(1, int(masses.sum()).bit_length())), out=out)

    def _masses(self, peptide: npt.ArrayLike) -> npt.NDArray[np.uint32]:
        given = np.asarray(peptide)
        if given.shape != (self._n,) or given.dtype.kind not in "iu":
            raise ValueError(f"peptide must be {self._n} integers, not {shown(peptide)}")
        if given.min() < 0 or given.max() > HEAVIEST:
            raise ValueError(f"masses must be from 0 to {HEAVIEST}, not from {given.min()} to {given.max()}")
        return given.astype(np.uint32)


def by_numpy(peptide: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return the spectrum of a peptide of the host."""
    n = peptide.size
    sums = np.zeros(2 * n + 1, np.uint32)
    np.cumsum(np.tile(peptide, 2), out=sums[1:])
    pieces = np.lib.stride_tricks.sliding_window_view(sums[: 2 * n - 1], n)[1:] - sums[:n]
    return np.sort(np.concatenate((sums[[0, n]], pieces.ravel())))


def works(queue: cl.CommandQueue, peptide: npt.NDArray[np.uint32]) -> dict[str, Work]:
    """Return what is measured on a peptide; the device's is compared with NumPy's after all rounds."""
    size = peptide.size * (peptide.size - 1) + 2
    device, out = CycloSpectrum(queue, peptide.size), cla.Array(queue, size, np.uint32)

    def check() -> None:
        if not np.array_equal(device.spectrum(peptide).get(), by_numpy(peptide)):
            raise clrng.ClrngError(f"the spectrum of {peptide.size} amino acids is not that of NumPy")

    found = {"clrng": Work(size, partial(device.spectrum, peptide, out), None, check)}
    if peptide.size <= NUMPY_LARGEST:
        found["NumPy"] = Work(size, partial(by_numpy, peptide), Host())
    return found


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=3, acids={"type": int, "help": "one length alone"})
    queue = clrng.make_queue(options.device)
    sizes = QUICK if options.quick else [options.acids] if options.acids else SIZES[kind_of(describe(queue.device))]
    rounds = options.rounds
    results = Results(options, "cyclo_spectrum", queue, rounds=rounds)
    rng = clrng.Generator(clrng.MRG32k3a(seed=SEED), queue)
    for n in sizes:
        peptide = MASSES[rng.integers(0, MASSES.size, n).get()]
        row = measure(queue, works(queue, peptide), rounds, None, SHORTEST)
        results.add(f"{n:,} amino acids", row)
        for name, rate in row.items():
            seconds = rate["values"] / rate["rate"]
            print(f"{n:6} {name:8} {rate['values']:13,} masses {seconds * 1e3:10.2f} ms {rate['rate'] / 1e9:8.3f} G/s",
                  flush=True)  # fmt: skip
    results.close()


if __name__ == "__main__":
    run(main)
