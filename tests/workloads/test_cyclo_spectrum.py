"""Cyclo-spectra are those that the definition gives, piece by piece."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from workloads.cyclo_spectrum import CycloSpectrum, by_numpy


def pieces(peptide: list[int]) -> list[int]:
    """Return the masses of all pieces of a ring, in order, by adding up each."""
    n, twice = len(peptide), peptide * 2
    every = [sum(twice[i : i + length]) for length in range(1, n) for i in range(n)]
    return sorted([0, *every, sum(peptide)])


def test_a_published_spectrum(queue: cl.CommandQueue) -> None:
    found = CycloSpectrum(queue, 4).spectrum(
        [113, 129, 128, 114]
    )  # LEQN: Compeau and Pevzner, Bioinformatics Algorithms
    expected = [0, 113, 114, 128, 129, 227, 242, 242, 257, 355, 356, 370, 371, 484]
    assert found.get().tolist() == expected == pieces([113, 129, 128, 114])


@pytest.mark.parametrize("n", [2, 3, 5, 33, 64])
def test_spectra_are_those_of_the_definition(queue: cl.CommandQueue, n: int) -> None:
    device = CycloSpectrum(queue, n)
    rng = np.random.default_rng(n)
    for high in (1, 187, 2**16):
        peptide = rng.integers(0, high, n)
        expected = pieces(peptide.tolist())
        assert device.spectrum(peptide).get().tolist() == expected
        assert by_numpy(peptide.astype(np.uint32)).tolist() == expected


def test_what_is_refused(queue: cl.CommandQueue) -> None:
    for n in (1, 2**15 + 1):
        with pytest.raises(ValueError, match=f"n must be an integer from 2 to 32768, not {n}"):
            CycloSpectrum(queue, n)
    device = CycloSpectrum(queue, 3)
    for peptide in ([1, 2], [1.0, 2.0, 3.0], [[1, 2, 3]]):
        with pytest.raises(ValueError, match="peptide must be 3 integers, not "):
            device.spectrum(peptide)
    with pytest.raises(ValueError, match="masses must be from 0 to 65535, not from -1 to 5"):
        device.spectrum([-1, 5, 2])
    with pytest.raises(ValueError, match="masses must be from 0 to 65535, not from 1 to 65536"):
        device.spectrum([1, 65536, 2])
    with pytest.raises(ValueError, match="out must have 8 values, not 7"):
        device.spectrum([1, 2, 3], cla.zeros(queue, 7, np.uint32))
