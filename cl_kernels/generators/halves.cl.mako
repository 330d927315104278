<%
    whole = f"{p}whole_"
    words = [f"word_{i}" for i in range(order)]
    half = "0xffffffffUL"
%>
// The halves of 64-bit values, the low one first, in states of the values. Their `waiting` is the other half, plus 2^32 until
// it is taken.
typedef ${whole}state ${p}state;

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const ulong {name}" for name in words)}) { return ${whole}load(${", ".join(words)}); }
% for i in range(order):

CLRNG_INLINE ulong ${p}word_${i}(const ${p}state s) { return ${whole}word_${i}(s); }
% endfor

CLRNG_INLINE bool ${p}waits(const ${p}state s) { return s.waiting >> 32 != 0; }

CLRNG_INLINE uint ${p}value(const ${p}state s)
{
    return convert_uint((${p}waits(s) ? ${whole}value(s) : s.waiting) & ${half});
}

// The state x, whose low half was taken and, unless it `waits`, the other one too.
CLRNG_INLINE ${p}state ${p}halved(${p}state x, const bool waits)
{
    x.waiting = (${whole}value(x) >> 32) | (waits ? 1UL << 32 : 0UL);
    return x;
}

CLRNG_INLINE ${p}state ${p}taken(${p}state s)
{
    s.waiting &= ${half};
    return s;
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s)
{
    return ${p}waits(s) ? ${p}taken(s) : ${p}halved(${whole}next(s), true);
}
% if leaping:

// A stride leads to the next value that is halved.
typedef ${whole}stride ${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ulong *row) { return ${whole}stride_from(row); }

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by)
{
    return ${p}waits(s) ? ${p}taken(s) : ${p}halved(${whole}apply_stride(s, by), true);
}
% else:

// A stride of n halves is one of n / 2 values and, for odd n, a step.
typedef struct { ${whole}stride by; bool odd; } ${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ulong *row)
{
    return (${p}stride){${whole}stride_from(row), row[${stride_words}] != 0};
}

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by)
{
    const ${p}state moved = ${p}halved(${whole}apply_stride(s, by.by), ${p}waits(s));
    return by.odd ? ${p}next(moved) : moved;
}
% endif

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

// The state n halves after s.
CLRNG_INLINE ${p}state ${p}jump(const ${p}state s, const ulong n)
{
    if (n == 0) return s;
    const ulong left = n - (${p}waits(s) ? 1 : 0);
    return left == 0 ? ${p}taken(s) : ${p}halved(${whole}jump(s, (left >> 1) + (left & 1)), (left & 1) != 0);
}
% endif
