<%
    words = [f"word_{i}" for i in range(8)]
    counter, values = [f"c{i}" for i in range(4)], [f"v{i}" for i in range(4)]
    kept = ", ".join(f"s.{name}" for name in ["k0", "k1", "waiting"])

    def of(names):
        return ", ".join(f"s.{name}" for name in names)
%>
// Philox 4x64 with ${rounds} rounds. A state holds the values v0, ... of its counter c0, ..., of which that at `place` was
// given out last, the key and the half that waits.
typedef struct { ulong ${", ".join([*counter, *values])}, k0, k1, waiting; uint place; } ${p}state;

// The upper half of a product; the function mul_hi of a CPU may be many times slower than wide integers.
CLRNG_INLINE ulong ${p}upper(const ulong a, const ulong b)
{
#ifdef __SIZEOF_INT128__
    return (ulong)((unsigned __int128)a * b >> 64);
#else
    return mul_hi(a, b);
#endif
}

// s with the values of its counter under its key.
CLRNG_INLINE ${p}state ${p}valued(const ${p}state s)
{
    ulong a = s.c0, b = s.c1, c = s.c2, d = s.c3, k = s.k0, l = s.k1;
    for (int i = 0; i < ${rounds}; i++, k += ${weyl[0]}UL, l += ${weyl[1]}UL) {
        const ulong first = a, second = c;
        a = ${p}upper(second, ${multipliers[1]}UL) ^ b ^ k;
        b = second * ${multipliers[1]}UL;
        c = ${p}upper(first, ${multipliers[0]}UL) ^ d ^ l;
        d = first * ${multipliers[0]}UL;
    }
    return (${p}state){${of(counter)}, a, b, c, d, ${kept}, s.place};
}

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const ulong {name}" for name in words)})
{
    return ${p}valued((${p}state){${", ".join(words[:4])}, 0, 0, 0, 0, ${", ".join(words[5:])}, convert_uint(word_4)});
}
% for i, name in enumerate([*counter, "place", "k0", "k1", "waiting"]):

CLRNG_INLINE ulong ${p}word_${i}(const ${p}state s) { return s.${name}; }
% endfor

CLRNG_INLINE ulong ${p}value(const ${p}state s)
{
    const ulong even = s.place < 2 ? s.v0 : s.v2, odd = s.place < 2 ? s.v1 : s.v3;
    return (s.place & 1) == 0 ? even : odd;
}

// The state of a later counter, by numbers whose sum is added to it, of which the value at `place` was given out last.
CLRNG_INLINE ${p}state ${p}later(const ${p}state s, const ulong4 by, const uint more, const uint place)
{
    const ulong y0 = s.c0 + by.s0, c0 = y0 + more, carry0 = (y0 < by.s0) + (c0 < y0);
% for i in range(1, 4):
    const ulong y${i} = s.c${i} + by.s${i}, c${i} = y${i} + carry${i - 1}, carry${i} = (y${i} < by.s${i}) + (c${i} < y${i});
% endfor
    return ${p}valued((${p}state){${", ".join(counter)}, 0, 0, 0, 0, ${kept}, place});
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s)
{
    return s.place < 3 ? (${p}state){${of([*counter, *values])}, ${kept}, s.place + 1} : ${p}later(s, (ulong4)(0), 1, 0);
}

// A stride is a number of counters and a number of values below 4.
typedef __global const ulong *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ulong *row) { return row; }

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by)
{
    const uint place = s.place + convert_uint(by[4]);
    return ${p}later(s, vload4(0, by), place >> 2, place & 3);
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

// The state n steps on.
CLRNG_INLINE ${p}state ${p}jump(const ${p}state s, const ulong n)
{
    const uint place = s.place + convert_uint(n & 3);
    return ${p}later(s, (ulong4)(n >> 2, 0, 0, 0), place >> 2, place & 3);
}
% endif
