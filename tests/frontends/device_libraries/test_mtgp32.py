"""MTGP32, by what rocRAND's engine makes with published parameters, and where cuRAND's own parameters come from."""

import hashlib
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.frontends.device_libraries import curand, curand_sets, mtgp32
from clrng.generators.maths.gf2 import Remainders, connection
from tests.support.device_libraries import digest

PUBLISHED = np.array([
    [19, 13, 4, 1334874743, 3573953932, 3972005888, 40921, 8143154, 725623021, 147621, 4276245],
    [36, 13, 4, 82296281, 3175167448, 4039114773, 59294, 7865086, 8651067, 393558, 262170],
    [88, 13, 4, 648284608, 3215683557, 3229622269, 29346, 952239319, 541819188, 40900111, 4850205],
], np.uint32)  # fmt: skip
"""Sets 0, 1 and 511 of those that the authors have published, which rocRAND takes."""

POLYNOMIALS = (
    "43932a2d4cab4cd38ffb1edd5e1abb0892841763", "dadf57e8beba9b0123e25d4b41f7b26b776f03d0",
    "dbf157ccf3d1ab93d9fdd6c07b7e6c1059567c00",
)  # fmt: skip
"""The digests, by SHA-1, of their characteristic polynomials, as the authors publish them with the sets."""

ALL_POLYNOMIALS = "a68603c41e0ceddbdc5179d8d1164d373c03f42bec5c48a7d0fe72e9a837ac14"
"""The digest, by SHA-256, of the 512 that they publish, each of 20 bytes."""

NUMBERED = (0, 0), (1, 1), (2, 511)

ENGINE = {
    0: (
        "aacee597f40207f1 3549268244 942152343", "31297ed0323afd06 405918830 110541184",
        "9ee3fe53075cda11 369083141 1896648507",
    ),
    1234: (
        "6b23716684746313 3039991 3118341653", "45f2f7a0b3619c0d 3737020008 2187313976",
        "230c7a116dea1dd7 3926821415 274011084",
    ),
}  # fmt: skip
"""What the engine of rocRAND 3.2, compiled for a processor, makes with them by seed: digests of 2048 words."""


def polynomial(one: Any) -> int:
    """Return the characteristic polynomial of a set of parameters."""
    plain = np.where(np.arange(mtgp32.NUMBERS) < 7, one, 0).astype(np.uint32)[None]  # without tempering
    words, _ = mtgp32.on_host(plain, mtgp32.first_states(plain, 5), 88)
    return connection((words.reshape(-1)[: 2 * 11213] & 1).tolist())


def sha1(f: int) -> str:
    return hashlib.sha1(f"{f:b}"[::-1].encode()).hexdigest()  # as the authors do


def states_of(seed: int) -> Any:
    """Return the states of the three streams, which are numbered 0, 1 and 511."""
    parts = [mtgp32.first_states(PUBLISHED[[i]], seed + number) for i, number in NUMBERED]
    return np.concatenate(parts)


@pytest.mark.parametrize("seed", ENGINE)
def test_it_is_what_the_engine_of_rocrand_makes(queue: cl.CommandQueue, seed: int) -> None:
    on_host, behind = mtgp32.on_host(PUBLISHED, states_of(seed), 8)
    assert tuple(digest(on_host[:, i]) for i in range(3)) == ENGINE[seed]
    forward, words = mtgp32.Forward(queue, PUBLISHED, states_of(seed)), cla.empty(queue, (5, 3, 256), np.uint32)
    forward.fill(words, 3, 7)
    np.testing.assert_array_equal(words.get(), on_host[3:])
    forward.fill(words[:1], 0, 1)
    np.testing.assert_array_equal(words[:1].get(), on_host[7:])
    np.testing.assert_array_equal(forward.states(), behind)


def test_long_ways_are_cut_into_launches(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mtgp32, "MOST_ROWS", 3)
    on_host, _ = mtgp32.on_host(PUBLISHED, states_of(1), 10)
    for row in (0, 2, 8):
        forward, words = mtgp32.Forward(queue, PUBLISHED, states_of(1)), cla.empty(queue, (10 - row, 3, 256), np.uint32)
        forward.fill(words, row, 9)
        np.testing.assert_array_equal(words.get(), on_host[row:])
        forward.fill(words[:1], 0, 1)
        np.testing.assert_array_equal(words[0].get(), on_host[9])


def test_streams_may_stand_at_rows_of_their_own(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mtgp32, "MOST_ROWS", 3)
    on_host, _ = mtgp32.on_host(PUBLISHED, states_of(1), 13)
    forward, words = mtgp32.Forward(queue, PUBLISHED, states_of(1)), cla.empty(queue, (2, 3, 256), np.uint32)
    forward.fill(cla.empty(queue, (0, 3, 256), np.uint32), 9, np.array([2, 9, 0]))
    forward.fill(words, 1, np.array([2, 3, 2]))
    np.testing.assert_array_equal(
        words.get(), np.stack([on_host[i : i + 2, s] for s, i in enumerate((3, 10, 1))], axis=1)
    )
    forward.fill(words, 0, 0)
    np.testing.assert_array_equal(words[0].get(), np.stack([on_host[i, s] for s, i in enumerate((4, 12, 2))]))


def test_published_polynomials_are_those_of_the_recurrence() -> None:
    assert tuple(sha1(polynomial(one)) for one in PUBLISHED) == POLYNOMIALS


def test_the_sets_of_the_package_are_legal_and_published() -> None:
    sets = mtgp32.published_sets()
    assert sets.shape == (512, 11)
    assert mtgp32.is_legal(sets)
    np.testing.assert_array_equal(sets[[number for _, number in NUMBERED]], PUBLISHED)


@pytest.mark.slow
def test_all_polynomials_of_the_package_are_the_published_ones() -> None:
    digests = "".join(sha1(polynomial(one)) for one in mtgp32.published_sets())
    assert hashlib.sha256(bytes.fromhex(digests)).hexdigest() == ALL_POLYNOMIALS


@pytest.mark.slow
def test_a_polynomial_is_irreducible() -> None:
    remainders, power = Remainders(polynomial(PUBLISHED[0])), 2
    for _ in range(11213):
        power = remainders.squared(power)
    assert (remainders.degree, power) == (11213, 2)  # x^(2^p) = x modulo f, whose degree p is a prime


def header_of(sets: Any) -> str:
    """Return text as cuRAND's header has it."""
    rows = []
    for one in sets:
        tables = [[int(np.bitwise_xor.reduce(four[[i >> b & 1 == 1 for b in range(4)]], initial=0)) for i in range(16)]
                  for four in (one[3:7], one[7:])]  # fmt: skip
        floats = [0x3F800000 | entry >> 9 for entry in tables[1]]
        lists = ",\n".join("{" + ", ".join(f"(0x{entry:08x})" for entry in table) + "}" for table in (*tables, floats))
        rows.append(
            f"{{ /* No.0; 1 */ 11213, {one[0]}, {one[1]}, {one[2]}, {lists}, (0xfff80000), {{{'0x11,' * 21}}} }}"
        )
    return f"struct mtgp32dc_params_fast_11213[]\n = {{ // of 1\n{', '.join(rows)} }};\nint other[] = {{1, 2}};"


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return sets of parameters that are made up, and are in the header that is found."""
    sets = np.random.default_rng(5).integers(0, 2**32, (curand_sets.SETS, mtgp32.NUMBERS), np.uint32)
    sets[:, :3] = sets[:, :3] % (mtgp32.LAST_PICK, 31, 31) + 1
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / curand_sets.HEADER).write_text(header_of(sets))
    monkeypatch.setattr(curand_sets, "_folders", lambda: iter([tmp_path, folder]))
    return sets


@pytest.mark.parametrize(("ordering", "streams"), [("default", 192), ("legacy", 64)])
def test_streams_give_256_values_in_turn(
    queue: cl.CommandQueue, made_up: Any, ordering: str, streams: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets, seed = made_up[:streams], 2**40 + 77  # of which cuRAND takes the exclusive or of both halves
    wanted = mtgp32.on_host(sets, mtgp32.first_states(sets, 77 ^ 2**8), 8)[0].reshape(-1)
    monkeypatch.setattr(curand, "PIECE", 2)
    rng, at = clrng.Curand("mtgp32", seed, ordering=ordering, queue=queue), 0
    for n in (1, 255, 1000, 5 * 256 * streams, 256 * streams - 1256, 300):
        np.testing.assert_array_equal(rng.generate(n).get(), wanted[at : at + n])
        at += n


def test_copies_and_what_fails(queue: cl.CommandQueue, made_up: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = clrng.Curand("mtgp32", 5, ordering="legacy", queue=queue)
    rng.generate(40_000)

    def failing(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(curand, "converted", failing)
        with pytest.raises(KeyboardInterrupt):
            rng.generate(100_000)
    again = pickle.loads(pickle.dumps(rng))
    wanted = mtgp32.on_host(made_up[:64], mtgp32.first_states(made_up[:64], 5), 4)[0].reshape(-1)[40_000:40_100]
    for each in (rng, again):
        np.testing.assert_array_equal(each.generate(90).get(), wanted[:90])
        np.testing.assert_array_equal(each.uniform(10).get(), curand.OF_MTGP["uniform"].made(wanted[90:, None])[:, 0])


def test_uniform_doubles_are_of_one_word() -> None:
    words = np.array([[0], [1], [2**32 - 1]], np.uint32)
    found = curand.OF_MTGP["uniform_double"].made(words)[:, 0]
    np.testing.assert_array_equal(found, [2.0**-32, 2.0**-31, 1.0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("11213, ", "", "it must have 200 sets of 74 numbers of 32 bits, not 14600 numbers in all"),
        ("0xfff80000", "0xfff80001", "the degree 11213 and the mask 0xfff80000"),
        ("11213, ", "11214, ", "the degree 11213 and the mask"),
        ("{(0x00000000)", "{(0x00000001)", "must be sums of entries 1, 2, 4 and 8"),
    ],
)
def test_a_header_that_is_not_right_is_refused(made_up: Any, tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "include" / curand_sets.HEADER
    path.write_text(header_of(made_up).replace(old, new))
    with pytest.raises(clrng.UnsupportedError, match=f"the parameters of mtgp32 cannot be read from .*{message}"):
        clrng.Curand("mtgp32")


def test_places_out_of_range_are_refused(made_up: Any, tmp_path: Path) -> None:
    made_up[7, 0] = 96
    (tmp_path / "include" / curand_sets.HEADER).write_text(header_of(made_up))
    with pytest.raises(clrng.UnsupportedError, match="places and shifts in their ranges"):
        clrng.Curand("mtgp32")


def test_without_a_header_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curand_sets, "_folders", lambda: iter([]))
    with pytest.raises(
        clrng.UnsupportedError, match=re.escape("mtgp32 needs cuRAND's header curand_mtgp32dc_p_11213.h")
    ):
        clrng.Curand("mtgp32")


def test_a_toolkit_is_found_by_its_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / curand_sets.HEADER).write_text("")
    monkeypatch.setattr(curand_sets, "find_spec", lambda _: None)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert curand_sets.header() == tmp_path / "include" / curand_sets.HEADER


def digests_of_header() -> Any:
    """Return the sets of the header that is installed, and the digests that it has of their polynomials."""
    path = curand_sets.header()
    if path is None:
        pytest.skip("cuRAND's header with the parameters of MTGP32 is not installed")
    digests = curand_sets.rows_of(path.read_text())[:, 53:73]
    return curand_sets.curand_sets(), [row.astype(np.uint8).tobytes().hex() for row in digests]


def test_the_first_polynomial_of_curand_is_the_published_one() -> None:
    sets, digests = digests_of_header()
    assert sha1(polynomial(sets[0])) == digests[0]


@pytest.mark.slow
def test_all_polynomials_of_curand_are_the_published_ones() -> None:
    sets, digests = digests_of_header()
    assert [sha1(polynomial(one)) for one in sets] == digests
