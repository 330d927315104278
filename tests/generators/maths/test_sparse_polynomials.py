"""Long polynomials over GF(2) against those of `binary_polynomials`, and against the division of school."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators.maths.gf2 import Remainders, SparseModulus
from clrng.generators.mersenne_twister import MT19937, MT19937_64

MODULI = [2**89 + 2**38 + 1, 2**127 + 2**63 + 1, 2**100 + 2**99 + 2**3 + 2 + 1, 2**250 + 2**103 + 1]
modulo = pytest.mark.parametrize("modulus", MODULI)
few = settings(max_examples=15, deadline=None)


@modulo
@given(f=st.integers(0, 2**500))
@few
def test_remainders(modulus: int, f: int) -> None:
    assert SparseModulus(modulus).reduced(f) == Remainders(modulus).reduced(f)


@modulo
@given(data=st.data())
@few
def test_products(modulus: int, data: st.DataObject) -> None:
    powers = SparseModulus(modulus)
    f, g = (data.draw(st.integers(0, 2**powers.degree - 1)) for _ in range(2))
    total = 0
    for i in range(powers.degree):
        total ^= (f << i) * (g >> i & 1)
    assert powers.product(f, g) == Remainders(modulus).reduced(total)
    assert powers.squared(f) == powers.product(f, f)
    assert powers.positions(f).tolist() == [i for i in range(powers.degree) if f >> i & 1]
    found = powers.powers_of(f, 6)
    for n in range(5):
        assert found[n + 1] == powers.product(found[n], f)


@modulo
@given(n=st.integers(0, 2**130))
@few
def test_powers_of_x_and_of_its_inverse(modulus: int, n: int) -> None:
    powers = SparseModulus(modulus)
    assert powers.power(n) == Remainders(modulus).power(n)
    assert powers.product(powers.power(n), powers.power(-n)) == 1


@pytest.mark.parametrize("kind", [MT19937, MT19937_64])
def test_the_characteristic_polynomial_makes_0_of_all_words(kind: type[MT19937 | MT19937_64]) -> None:
    polynomial, bits = kind.twister.characteristic(), kind(4)
    assert polynomial.bit_length() == 19938
    words = bits.continued(bits.words, 20000)
    places = [i for i in range(19938) if polynomial >> i & 1]
    for k in range(0, len(words) - 19937, 100):
        total = 0
        for i in places:
            total ^= words[k + i]
        assert total == 0
