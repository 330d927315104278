<%
    type, number = f"{word}{w}", f"{value}{w}"
    first, a, second, b, last = mixer
    part = f"(z >> {shift})" if shift else "z"
    part = part if mask is None or mask >> (31 if word == "uint" else 63) - shift else f"({part} & {mask}{u})"
%>
// x' = x + g, of which a value is mixed. A stride of n steps is x' = x + n*g.
typedef struct { ${type} x, g; } ${p}state;
typedef ${type} ${p}stride;

CLRNG_INLINE ${p}state ${p}load(const ${type} word_0, const ${type} word_1) { return (${p}state){word_0, word_1}; }

CLRNG_INLINE ${type} ${p}word_0(const ${p}state s) { return s.x; }

CLRNG_INLINE ${type} ${p}word_1(const ${p}state s) { return s.g; }

CLRNG_INLINE ${number} ${p}value(const ${p}state s)
{
    ${type} z = (s.x ^ (s.x >> ${first})) * ${a}${u};
    z = (z ^ (z >> ${second})) * ${b}${u};
% if last:
    z ^= z >> ${last};
% endif
    return ${narrowed(part)};
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return (${p}state){s.x + s.g, s.g}; }

CLRNG_INLINE ${p}stride ${p}stride_of(const ${word} n) { return (${type})n; }

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ${word} *row) { return ${p}stride_of(row[0]); }

// The stride for states of the increment that s has.
CLRNG_INLINE ${p}stride ${p}fixed(const ${p}stride by, const ${p}state s) { return by * s.g; }

CLRNG_INLINE ${p}state ${p}apply_fixed(const ${p}state s, const ${p}stride by) { return (${p}state){s.x + by, s.g}; }

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by) { return ${p}apply_fixed(s, ${p}fixed(by, s)); }

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

// The state n steps after s.
CLRNG_INLINE ${p}state ${p}jump(const ${p}state s, const ulong n) { return (${p}state){s.x + (${word})n * s.g, s.g}; }
% endif
