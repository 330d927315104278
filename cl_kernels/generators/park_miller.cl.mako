// x' = multiplier * x mod 2^31 - 1. A stride is the multiplier of several steps at once.
typedef ${p}residue ${p}state;
typedef ${p}factor ${p}stride;

CLRNG_INLINE ${p}state ${p}load(const uint${w} word) { return ${p}from_uint(word); }

CLRNG_INLINE uint${w} ${p}value(const ${p}state x) { return ${p}to_uint(x); }

CLRNG_INLINE ${p}state ${p}next(const ${p}state x) { return ${p}step(x); }

CLRNG_INLINE ${p}stride ${p}stride_of(const uint word) { return ${p}factor_of(word); }

// After a skip comes a next or a skip; after a bound only another bound, which is cheaper.
CLRNG_INLINE ${p}state ${p}skip(const ${p}state x, const ${p}stride a) { return ${p}mul(x, a); }

CLRNG_INLINE ${p}state ${p}bound(const ${p}state x, const ${p}stride a) { return ${p}leap(x, a); }
% if width == 1:

// multiplier^(2^j)
__constant uint ${p}powers[64] = {
% for row in range(0, 64, 8):
    ${", ".join(f"{power}u" for power in powers[row:row + 8])},
% endfor
};

// The state n steps on.
CLRNG_INLINE ${p}state ${p}jump(${p}state x, ulong n)
{
    for (int j = 0; n != 0; n >>= 1, j++)
        if (n & 1) x = ${p}mul(x, ${p}factor_of(${p}powers[j]));
    return x;
}
% endif
