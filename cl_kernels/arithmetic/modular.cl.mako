<%
    fields = ["a", "a_quotient"] + (["c", "c_quotient"] if affine else [])
    wide = f"ulong{half}" if width > 1 and word == "uint" else f"ulong{w}"
    m = f"{modulus}UL"
    beyond = modulus > 2**63
%>
// Residues modulo m = ${modulus} in integers.
//
// A residue is the canonical integer itself, 0 <= x < m. Beside each number of a factor stands its quotient by m,
// scaled by N = 2^${quotient_bits} and rounded down. So q = floor((x * a_quotient + c_quotient) / N) is the quotient of a*x + c by m or
// one less, and a*x + c - q*m is below 2m: one subtraction makes it canonical.
typedef ${word}${w} ${p}residue;
typedef struct { ${word} ${", ".join(fields)}; } ${p}factor;

CLRNG_INLINE ${p}residue ${p}from_word(const ${word}${w} x) { return x; }

CLRNG_INLINE ${word}${w} ${p}to_word(const ${p}residue x) { return x; }

CLRNG_INLINE ${p}factor ${p}factor_of(${", ".join(f"const {word} {field}" for field in fields)})
{
    return (${p}factor){${", ".join(fields)}};
}

CLRNG_INLINE ${p}residue ${p}plus(const ${p}residue x, const ${p}residue y)
{
    const ${p}residue missing = ${modulus}${u} - y;
    return x < missing ? x + y : x - missing;
}
% if quotient_bits == 32:

CLRNG_INLINE ${wide} ${p}wide_mul(const ${wide} x, const ${p}factor by)
{
    const ${wide} q = (x * (ulong)by.a_quotient${" + (ulong)by.c_quotient" if affine else ""}) >> 32;
    const ${wide} r = x * (ulong)by.a${" + (ulong)by.c" if affine else ""} - q * ${m};
    return CLRNG_MIN(r, r - ${m});
}

${"CLRNG_CALLED" if called else "CLRNG_INLINE"} ${p}residue ${p}mul(const ${p}residue x, const ${p}factor by)
{
% if width == 1:
    return convert_uint(${p}wide_mul(x, by));
% else:
    const ${wide} pairs = as_${wide}(x);
    return as_uint${w}(${p}wide_mul(pairs & 0xffffffffUL, by) | (${p}wide_mul(pairs >> 32, by) << 32));
% endif
}
% else:

// The upper half of a product of 128 bits.
CLRNG_INLINE ulong${w} ${p}upper(const ulong${w} x, const ulong y)
{
% if width == 1:
    return mul_hi(x, y);
% else:
    const ulong${w} x0 = x & 0xffffffffUL, x1 = x >> 32;
    const ulong y0 = y & 0xffffffffUL, y1 = y >> 32;
    const ulong${w} middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (middle & 0xffffffffUL);
    return x1 * y1 + (middle >> 32) + (other >> 32);
% endif
}

${"CLRNG_CALLED" if called else "CLRNG_INLINE"} ${p}residue ${p}mul(const ${p}residue x, const ${p}factor by)
{
% if affine:
    const ulong${w} lower = x * by.a_quotient + by.c_quotient;
    const ulong${w} q = ${p}upper(x, by.a_quotient) + (lower < by.c_quotient ? (ulong${w})1 : (ulong${w})0);
% else:
    const ulong${w} q = ${p}upper(x, by.a_quotient);
% endif
    const ulong${w} t = x * by.a${" + by.c" if affine else ""}, r = t - q * ${m};
% if beyond:
    // 2m does not fit 64 bits: the upper halves tell whether r lacks 2^64.
    const ulong${w} carry = ${"t < by.c ? (ulong%s)1 : (ulong%s)0" % (w, w) if affine else "0"};
    const ulong${w} over = ${p}upper(x, by.a) + carry - ${p}upper(q, ${m}) - (t < r ? (ulong${w})1 : (ulong${w})0);
    return over != 0 || r >= ${m} ? r - ${m} : r;
% else:
    return CLRNG_MIN(r, r - ${m});
% endif
}
% endif

CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor by) { return ${p}mul(x, by); }
% if step:

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x)
{
    return ${p}mul(x, (${p}factor){${", ".join(f"{number}{u}" for number in step)}});
}
% endif
