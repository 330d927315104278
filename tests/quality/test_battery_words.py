"""The words that batteries read, against Python's integers of the sequential stream."""

from itertools import islice

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest
from scipy.special import ndtr

import clrng
from clrng.opencl.devices import describe
from clrng.quality import batteries
from clrng.quality.batteries import COUNT, FAR, blocks, whole_bytes, word_bytes

N = 1000

GENERATORS = {
    "31 bits of a prime": clrng.named("minstd", 5),
    "22 bits": clrng.named("slatec", 5),
    "24 bits": clrng.LCG(16598013, 12820163, 2**24, 5),
    "15 bits": clrng.named("ansi_c", 5),
    "32 bits": clrng.named("xorwow", 5),
    "48 bits": clrng.named("drand48", 5),
    "64 bits": clrng.named("std_mt19937_64", 5),
    "no power of two, of an unknown period": clrng.named("ran3", 5),
    "a large prime": clrng.LCG(5, 0, 2**61 - 1, 7),
}
BYTES = {"31 bits of a prime": 3, "22 bits": 2, "24 bits": 3, "15 bits": 1, "32 bits": 4,
         "48 bits": 4, "64 bits": 8, "no power of two, of an unknown period": 3, "a large prime": 4}  # fmt: skip


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batteries, "BLOCK", 2**12)


def words(bits: clrng.BitGenerator, output: str, streams: str, queue: cl.CommandQueue, n: int = N) -> list[int]:
    """Return the first words as integers, those of three bytes put together."""
    found = next(blocks(bits, output, streams, queue))[:n]
    raw, width = found.tobytes(), word_bytes(bits, output)
    return [int.from_bytes(raw[i : i + width], "little") for i in range(0, len(raw), width)]


def scaled(values: npt.NDArray[np.unsignedinteger], bound: int, width: int) -> list[int]:
    return [x * 2**width // bound for x in values.tolist()]


def needs_fp64(bits: clrng.BitGenerator, queue: cl.CommandQueue) -> bool:
    return bool(bits.upper_bound & (bits.upper_bound - 1)) and not describe(queue.device).fp64


@pytest.mark.parametrize("name", GENERATORS)
def test_words_are_the_highest_bits(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    values, before = bits.sequence(N), bits.state
    assert whole_bytes(bits) == BYTES[name]
    for output, width in (("raw", 8 * BYTES[name]), ("uniform", 32)):
        if needs_fp64(bits, queue):
            with pytest.raises(clrng.UnsupportedError):
                words(bits, output, "sequential", queue)
            continue
        assert words(bits, output, "sequential", queue) == scaled(values, bits.upper_bound, width)
        assert bits.state == before


def test_blocks_follow_one_another(queue: cl.CommandQueue) -> None:
    bits = clrng.named("numerical_recipes", 3)
    for streams in ("sequential", "jumped", "leapfrog"):
        first, second = (block.copy() for block in islice(blocks(bits, "raw", streams, queue), 2))
        step = {"sequential": first.size, "jumped": first.size // COUNT, "leapfrog": first.size * COUNT}[streams]
        later = next(blocks(bits.jumped(step), "raw", streams, queue))
        assert (second == later).all()
        assert (first != second).any()


@pytest.mark.parametrize("name", ["32 bits", "no power of two, of an unknown period"])
def test_jumped_streams_are_dealt(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    if needs_fp64(bits, queue):
        return
    distance = FAR if bits.period is None else bits.jump_distance
    columns = [bits.jumped(i * distance).sequence(4) for i in range(COUNT)]
    expected = scaled(np.array(columns).T.ravel(), bits.upper_bound, 32)
    assert words(bits, "uniform", "jumped", queue, 4 * COUNT) == expected


def test_spawned_streams_are_those_of_numpys_children(queue: cl.CommandQueue) -> None:
    children = np.random.SeedSequence(2026).spawn(COUNT)
    expected = np.stack([np.random.PCG64(child).random_raw(4) for child in children], 1).ravel().tolist()
    bits = clrng.PCG64(2026)
    bits.spawn(3)
    assert words(bits, "raw", "spawned", queue, 4 * COUNT) == expected
    (fourth,) = bits.spawn(1)  # which no battery took
    assert fourth.sequence(4).tolist() == np.random.PCG64(children[3]).random_raw(4).tolist()


def test_what_has_no_seed_spawns_by_its_state(queue: cl.CommandQueue) -> None:
    bits = clrng.PCG32(state=5, increment=7)
    children = bits.seeded(list(bits.words)).spawn(COUNT)
    expected = np.stack([child.sequence(4) for child in children], 1).ravel().tolist()
    assert words(bits, "raw", "spawned", queue, 4 * COUNT) == expected


def test_leapfrog_is_every_64th(queue: cl.CommandQueue) -> None:
    bits = GENERATORS["22 bits"]
    expected = scaled(bits.sequence(20 * COUNT)[::COUNT], bits.upper_bound, 16)
    assert words(bits, "raw", "leapfrog", queue, 20) == expected


def test_distributions_are_uniform_again(queue: cl.CommandQueue) -> None:
    bits = clrng.MRG32k3a(12345)
    if not describe(queue.device).fp64:
        return
    rng = clrng.Generator(bits.copy(), queue)
    normals = [int(u * 2**32) for u in ndtr(rng.standard_normal(N, "float64").get()).tolist()]
    assert words(bits, "normal", "sequential", queue) == normals
    rng = clrng.Generator(bits.copy(), queue)
    uniform = -np.expm1(-rng.standard_exponential(N, "float64").get())
    assert words(bits, "exponential", "sequential", queue) == [int(u * 2**32) for u in uniform.tolist()]


@pytest.mark.parametrize(
    ("bits", "output", "streams", "said"),
    [
        (clrng.LCG(3, 0, 101, 1), "raw", "sequential", "--output must be uniform for raw values below 101, which fill"),
        (clrng.MRG32k3a(), "normal", "jumped", "--streams must be sequential for the values of a distribution, not "),
        (clrng.MRG32k3a(), "raw", "backwards", "streams must be "),
        (clrng.MRG32k3a(), "bits", "jumped", "output must be "),
    ],
)
def test_what_is_refused(bits: clrng.BitGenerator, output: str, streams: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}"):
        blocks(bits, output, streams, clrng.make_queue())
