"""Populations evolve bit by bit as NumPy has them with the same random numbers."""

from math import asin, pi, sqrt

import numpy as np
import pyopencl as cl
import pytest
from workloads import onemax
from workloads.onemax import Draws, OneMax, next_generation

import clrng


@pytest.mark.parametrize("lanes", [1, 4])
def test_generations_are_those_of_numpy(queue: cl.CommandQueue, lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onemax, "LANES", {"cpu": lanes, "gpu": lanes})
    onemax.compare(queue, 100, 128, 3, clrng.MRG32k3a(seed=5))


def test_a_wrong_generation_is_seen(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onemax, "MUTATION", 1.0)
    right = onemax.next_generation

    def without_mutation(genes: object, fitness: object, draws: Draws) -> object:
        return right(genes, fitness, draws._replace(mutate=np.zeros_like(draws.mutate)))

    monkeypatch.setattr(onemax, "next_generation", without_mutation)
    with pytest.raises(clrng.ClrngError, match="generation 1 on .* is not that of NumPy"):
        onemax.compare(queue, 100, 128, 3, clrng.MRG32k3a(seed=5))


def test_the_next_generation_by_hand() -> None:
    genes = np.array([[0b0011], [0b0101], [0b1111]], np.uint32)
    picks = np.array([[0, 0, 1], [1, 2, 1], [0, 1, 2], [2, 1, 0]])
    masks = np.array([[0b0011], [0b0110], [0b1000]], np.uint32)
    draws = Draws(picks, np.array([0, 2, 5]), np.array([False, True, True]), masks)
    young, fitness = next_generation(genes, np.array([2, 2, 4]), draws)
    # Winners: 0 (the first of equal ones) and 2; 2 and 1; 1 and 2.
    assert young[:, 0].tolist() == [0b1111, 0b0111 ^ 0b0100, 0b0111 ^ 0b100000]
    assert fitness.tolist() == [4, 2, 4]


def test_a_population_gets_better(queue: cl.CommandQueue) -> None:
    course = onemax.evolve(OneMax(queue, 512, 128), 30)
    means = [each["mean"] for each in course]
    assert 0.48 < means[0] < 0.52
    assert means[:16] == sorted(means[:16])
    assert course[-1]["best"] == 1


def test_the_theory() -> None:
    assert onemax.theory(0, 1000) == 0.5
    assert onemax.theory(10**6, 1000) == 1
    quarter = sqrt(pi * 1000) * asin(0.5)
    assert onemax.theory(round(quarter), 1000) == pytest.approx(0.75, abs=0.01)


def test_what_is_refused(queue: cl.CommandQueue) -> None:
    for arguments, message in [
        ((1, 128), "population must be an integer from 2 to 2147483648, not 1"),
        ((10, 64), "length must be an integer from 128 to 32768, not 64"),
        ((10, 160), "length must be a multiple of 128, not 160"),
        ((10, 128, 1.5), "mutation must be from 0 to 1, not 1.5"),
        (
            (10, 128, 0.0, clrng.ParkMiller(seed=1)),
            "bits must have at least 4294901760 values, as MRG32k3a has, not be Park",
        ),
        ((10, 128, 0.0, None, 0), "distance must be an integer from 1 to "),
    ]:
        with pytest.raises(ValueError, match=message):
            OneMax(queue, *arguments)
