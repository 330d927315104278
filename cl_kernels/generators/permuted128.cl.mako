<%
    words = ["x.hi", "x.lo", "c.hi", "c.lo", "waiting"]
    number = lambda high, low: f"(ulong{w}){high}UL, (ulong{w}){low}UL"
    zero = number(0, 0)
%>
// x' = a*x + c mod 2^128. A stride of n steps is x' = A*x + G*c, where A = a^n and G is the sum of the n lower powers of a.
<%include file="affine128.cl.mako"/>\
// `waiting` is of the halves of values.
typedef struct { ${p}wide x, c; ulong${w} waiting; } ${p}state;
typedef struct { ${p}wide a, g; } ${p}stride;

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const ulong{w} word_{i}" for i in range(order))})
{
    return (${p}state){{word_0, word_1}, {word_2, word_3}, word_4};
}
% for i, word in enumerate(words):

CLRNG_INLINE ulong${w} ${p}word_${i}(const ${p}state s) { return s.${word}; }
% endfor

CLRNG_INLINE ulong${w} ${p}value(const ${p}state s)
{
% if output == "pcg64":
    const ulong${w} mixed = s.x.hi ^ s.x.lo;
#ifdef __NV_CL_C_VERSION
    // By 32 bits, and the rest by funnel shifts.
    const uint turn = (uint)(s.x.hi >> 58);
    const bool swap = (turn & 32) != 0;
    const uint low = (uint)(swap ? mixed >> 32 : mixed), high = (uint)(swap ? mixed : mixed >> 32);
    uint turned_low, turned_high;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(turned_low) : "r"(low), "r"(high), "r"(turn));
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(turned_high) : "r"(high), "r"(low), "r"(turn));
    return upsample(turned_high, turned_low);
#else
    return rotate(mixed, -(s.x.hi >> 58) & 63UL);
#endif
% else:
    ulong${w} high = s.x.hi ^ (s.x.hi >> 32);
    high *= ${mixer}UL;
    high ^= high >> 48;
    return high * (s.x.lo | 1UL);
% endif
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s)
{
    return (${p}state){${p}affine(s.x, (${p}wide){${number(*multiplier)}}, s.c), s.c, s.waiting};
}

CLRNG_INLINE ${p}stride ${p}stride_of(const ulong a_hi, const ulong a_lo, const ulong g_hi, const ulong g_lo)
{
    return (${p}stride){{(ulong${w})a_hi, (ulong${w})a_lo}, {(ulong${w})g_hi, (ulong${w})g_lo}};
}

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ulong *row) { return ${p}stride_of(row[0], row[1], row[2], row[3]); }

// The stride for states of the increment that s has: its g is G*c.
CLRNG_INLINE ${p}stride ${p}fixed(const ${p}stride by, const ${p}state s)
{
    return (${p}stride){by.a, ${p}affine(by.g, s.c, (${p}wide){${zero}})};
}

CLRNG_INLINE ${p}state ${p}apply_fixed(const ${p}state s, const ${p}stride by)
{
    return (${p}state){${p}affine(s.x, by.a, by.g), s.c, s.waiting};
}

% if differences and width == 1:
<%
    limbs = [low // 32 for low in differences]    # of 32 bits, which are 0 below these
    parts = ("lo", 0), ("lo", 32), ("hi", 0), ("hi", 32)
    last = len(limbs) - 1
%>
// A state that moves on by one stride again and again, with its differences: the change by a stride is the first, the
// change of that the next. Difference i is a multiple of 2^v, for v = ${", ".join(map(str, differences))}, and the next would be 0.
// `one` is 1, which a compiler does not know: NVIDIA's GPUs multiply and add in units of their own, beside those that add.
typedef struct { ${p}state s; uint one; ${p}wide ${", ".join(f"d{i}" for i in range(len(limbs)))}; } ${p}moving;
% for limb in sorted(set(limbs)):

// x + d, where the lower ${limb} of the four words of 32 bits of d are 0.
CLRNG_INLINE ${p}wide ${p}plus_${limb}(const ${p}wide x, const ${p}wide d, const uint one)
{
#ifdef __NV_CL_C_VERSION
    uint ${", ".join(f"r{i}" for i in range(limb, 4))};
    asm("${" ".join(f"mad{'' if i == limb else 'c'}.lo{'' if i == 3 else '.cc'}.u32 %{i - limb}, %{8 + i - 3 * limb}, %{12 - 3 * limb}, %{4 + i - 2 * limb};" for i in range(limb, 4))}"
        : ${", ".join(f'"=&r"(r{i})' for i in range(limb, 4))}
        : ${", ".join(f'"r"((uint)({name}.{parts[i][0]} >> {parts[i][1]}))' for name in ("x", "d") for i in range(limb, 4))}, "r"(one));
    return (${p}wide){upsample(r3, ${"r2" if limb < 3 else "(uint)x.hi"}), ${"x.lo" if limb > 1 else "upsample(r1, %s)" % ("r0" if limb == 0 else "(uint)x.lo")}};
% if limb < 2:
#else
    const ulong lo = x.lo + d.lo;
    return (${p}wide){x.hi + d.hi + (lo < d.lo ? 1UL : 0UL), lo};
% else:
#else
    return (${p}wide){x.hi + d.hi, x.lo};
% endif
#endif
}
% endfor

// `by` is a stride that is fixed for s, by as many steps as the differences are for.
CLRNG_INLINE ${p}moving ${p}moving_by(const ${p}state s, const ${p}stride by)
{
    const ${p}wide less_one = {by.a.hi, by.a.lo - 1UL};
    ${p}moving m;
    m.s = s;
    m.one = (uint)by.a.lo & 1u;    // a power of an odd number
    m.d0 = ${p}affine(less_one, s.x, by.g);
% for i in range(1, last + 1):
    m.d${i} = ${p}affine(less_one, m.d${i - 1}, (${p}wide){0UL, 0UL});
% endfor
    return m;
}

CLRNG_INLINE ${p}moving ${p}moved_on(${p}moving m)
{
    m.s.x = ${p}plus_${limbs[0]}(m.s.x, m.d0, m.one);
% for i in range(last):
    m.d${i} = ${p}plus_${limbs[i + 1]}(m.d${i}, m.d${i + 1}, m.one);
% endfor
    return m;
}
% endif

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by) { return ${p}apply_fixed(s, ${p}fixed(by, s)); }

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

// The strides of 2^j steps.
${constants("ulong", p + "powers", powers)}

// The state n steps after s: x moves by G times the step from x to the next one, a*x + c - x, and G of m + n steps is
// G of m steps times a^n plus G of n steps.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, ulong n)
{
    ${p}wide g = {0UL, 0UL};
    __constant ulong *row = ${p}powers;
    for (; n != 0; n >>= 1, row += 4)
        if (n & 1) g = ${p}affine(g, (${p}wide){row[0], row[1]}, (${p}wide){row[2], row[3]});
    s.x = ${p}affine(g, ${p}affine(s.x, (${p}wide){${number(*less_one)}}, s.c), s.x);
    return s;
}
% endif
