<%
    digits, words = 20, 18    # of 29 and of 32 bits
    mask, top = 2**29 - 1, 2**25 - 1
    xs = [f"x{i}" for i in range(digits)]
    ys = [f"y{i}" for i in range(digits)]
    rs = [f"r{i}" for i in range(words)]
    given = [f"word_{i}" for i in range(10)]

    def bits_of(name, size, begin, bits):
        """The `bits` bits, from bit `begin` on, of a number whose digits of `size` bits are name_0, name_1, ..."""
        parts = []
        for i in range(begin // size, -(-(begin + bits) // size)):
            apart = begin - size * i
            parts.append(f"{name(i)} >> {apart}" if apart > 0 else f"{name(i)} << {-apart}" if apart else name(i))
        return " | ".join(f"({part})" for part in parts)

    def passed(of, names):
        """The arguments of a function that is called: `names` of `of`."""
        return ", ".join(f"{of}.{name}" for name in names)

    def taken(names):
        """The parameters of such a function."""
        return ", ".join(f"const uint {name}" for name in names)

    def halves(vector, count):
        """The numbers of 32 bits, two in a word, of a vector."""
        return ", ".join(f"convert_uint({vector}.s{k // 2:x} {'>> 32' if k % 2 else '& 0xffffffffu'})" for k in range(count))

    def low_bits(begin):
        """The 29 bits from bit `begin` of the words of 64 bits on, and others above them, in shifts of 32 bits on the left."""
        word, apart = begin // 64, begin % 64
        part = f"convert_uint((word_{word} >> {apart}) & 0xffffffffu)"
        return f"{part} | (convert_uint(word_{word + 1} & 0xffffffffu) << {64 - apart})" if apart > 35 and word < 8 else part
%>
<%def name="times(a)">\
% for k in range(2 * digits - 1):
    const ulong c${k} = ${" + ".join(f"(ulong)x.x{i} * {a(k - i)}" for i in range(max(0, k - digits + 1), min(k + 1, digits)))};
% endfor
    ulong high = c${digits};
    const uint d0 = convert_uint(high & ${mask}u);
% for k in range(1, digits - 1):
    high = c${digits + k} + (high >> 29);
    const uint d${k} = convert_uint(high & ${mask}u);
% endfor
    const uint d${digits - 1} = convert_uint(high >> 29);
<%
    def column(k):
        terms = [f"(long)c{k} - ((long)d{k} << 4)"]
        if k < 8:
            terms.append(f" - ((long)d{k + 12} << 16)")
        else:
            terms.append(f" + ((long)d{k - 8} << 12)")
        if 8 <= k < 16:
            terms.append(f" + ((long)d{k + 4} << 24)")
        return "".join(terms)
%>\
% for k in range(digits):
    const long l${k} = ${column(k)};
% endfor
    long above = (l19 + ((l18 + (l17 >> 29)) >> 29)) >> 25;
    long sum = l0 - above;
    x.x0 = convert_uint(sum & ${mask});
% for k in range(1, digits - 1):
    sum = l${k} + (sum >> 29)${" + (above << 8)" if k == 8 else ""};
    x.x${k} = convert_uint(sum & ${mask});
% endfor
    sum = l19 + (sum >> 29) - (above << 25);
    x.x19 = convert_uint(sum & ${top});
    above = sum >> 25;
    if (above != 0 || (x.x19 == ${top}u && x.x18 == ${mask}u)) return ${p}reduced(${passed("x", xs)}, convert_int(above));
    return ${p}packed(x);
</%def>\
// x' = ${a} * x mod m, m = 2^576 - 2^240 + 1. x has ${digits} digits of 29 bits, the last one 25. The state also has the
// words of floor(2^576 * x / m), which give the values of x: shifted right so far that the value given out last is their
// lowest 48 bits.
typedef struct { uint ${", ".join(xs)}; } ${p}residue;
typedef struct { ${p}residue x; uint ${", ".join(rs)}, piece; } ${p}state;

// Called functions take the digits of a number as separate arguments, and return two digits in each word of a vector:
// Oclgrind refuses structures that pass through memory.
CLRNG_INLINE ulong16 ${p}packed(const ${p}residue x)
{
    ulong16 v = (ulong16)(0);
% for k in range(digits // 2):
    v.s${"%x" % k} = x.x${2 * k} | (ulong)x.x${2 * k + 1} << 32;
% endfor
    return v;
}

CLRNG_INLINE ${p}residue ${p}unpacked(const ulong16 v)
{
    return (${p}residue){${halves("v", digits)}};
}

// x + above * 2^576 mod m, for small numbers `above` of any sign: 2^576 is 2^240 - 1.
CLRNG_CALLED ulong16 ${p}reduced(${taken(xs)}, const int above)
{
    uint digits[${digits}] = {${", ".join(xs)}};
    long left = above;
    while (left != 0) {
        long sum = -left;
        for (int k = 0; k < ${digits}; k++) {
            sum += digits[k];
            if (k == 8) sum += left * 256;
            digits[k] = convert_uint(sum & (k < 19 ? ${mask} : ${top}));
            sum >>= k < 19 ? 29 : 25;
        }
        left = sum;
    }
    bool large = digits[19] == ${top}u && digits[8] >> 8 == ${mask >> 8}u;
    uint low = digits[8] & 255u;
    for (int k = 9; k < 19; k++) large = large && digits[k] == ${mask}u;
    for (int k = 0; k < 8; k++) low |= digits[k];
    if (large && low != 0) {    // 2^576 - 2^240 + low becomes low - 1
        digits[8] &= 255u;
        for (int k = 9; k < ${digits}; k++) digits[k] = 0;
        int k = 0;
        for (; digits[k] == 0; k++) digits[k] = ${mask}u;
        digits[k]--;
    }
    return ${p}packed((${p}residue){${", ".join(f"digits[{i}]" for i in range(digits))}});
}

// The product modulo m. A column is a sum of at most 20 products below 2^58 each. The upper half of the product is
// brought to digits, which are added to columns of the lower half, as 2^580 is 2^244 - 2^4 modulo m. The highest columns
// then tell what is above 2^576, but for a rare carry; 2^240 - 1 times that is added before columns become digits.
CLRNG_CALLED_BY_CPUS ulong16 ${p}step(${taken(xs)})
{
    ${p}residue x = {${", ".join(xs)}};
${times(lambda j: f"{multiplier[j]}u")}}

CLRNG_CALLED ulong16 ${p}multiply(${taken(xs)}, ${taken(ys)})
{
    ${p}residue x = {${", ".join(xs)}};
${times(lambda j: ys[j])}}

CLRNG_INLINE ${p}residue ${p}stepped(const ${p}residue x) { return ${p}unpacked(${p}step(${passed("x", xs)})); }

CLRNG_INLINE ${p}residue ${p}product(const ${p}residue x, const ${p}residue a)
{
    return ${p}unpacked(${p}multiply(${passed("x", xs)}, ${passed("a", xs)}));
}

// The upper 16 bits of a word and the lower 16 of the next, in a form in which Oclgrind's compiler sees no funnel shift.
CLRNG_INLINE uint ${p}middle(const uint word, const uint next)
{
    return convert_uint((((ulong)next << 32 | word) >> 16) & 0xffffffffu);
}

// floor(2^576 * z / m) less z + floor(z / 2^336), exactly: with h = floor(z / 2^336) and l = z mod 2^336, it is
// floor(t / m) for t = (h + l) * 2^240 - h - z, which is above -m and below m.
CLRNG_CALLED int ${p}exact_carry(${taken(rs)})
{
    const uint z[${words + 1}] = {${", ".join(rs)}, 0};
    uint both[11];
    long sum = 0;
    for (int k = 0; k < 11; k++) {
        if (k < 8) sum += ${p}middle(z[k + 10], z[k + 11]);
        sum += k < 10 ? z[k] : z[k] & 0xffffu;
        both[k] = convert_uint(sum & 0xffffffff);
        sum >>= 32;
    }
    for (int k = 0; k < ${words + 1}; k++) {
        if (k >= 7 && k < 18) sum += both[k - 7] << 16;
        if (k >= 8) sum += both[k - 8] >> 16;
        if (k < 8) sum -= ${p}middle(z[k + 10], z[k + 11]);
        sum -= z[k];
        sum >>= 32;
    }
    return convert_int(sum);
}

// The words of floor(2^576 * x / m). The highest 32 bits of l and h (see exact_carry) tell the carry unless they are nearly
// equal.
CLRNG_CALLED_BY_CPUS ulong16 ${p}words(${taken(xs)})
{
% for j in range(words):
    uint r${j} = ${bits_of(lambda i: f"x{i}", 29, 32 * j, 32)};
% endfor
    const uint l = ${p}middle(r9, r10), h = r17;
    int carry = l > h ? 0 : -1;
    if (h - l < 2) carry = ${p}exact_carry(${", ".join(rs)});
    long sum = carry;
% for j in range(8):
    sum += (ulong)r${j} + ${f"{p}middle(r{j + 10}, r{j + 11})" if j < 7 else "(r17 >> 16)"};
    r${j} = convert_uint(sum & 0xffffffff);
    sum >>= 32;
% endfor
% for j in range(8, words):
    sum += r${j};
    r${j} = convert_uint(sum & 0xffffffff);
    sum >>= 32;
% endfor
    ulong16 v = (ulong16)(0);
% for k in range(words // 2):
    v.s${k} = r${2 * k} | (ulong)r${2 * k + 1} << 32;
% endfor
    return v;
}

// The state of x of which the first value has just been given out.
CLRNG_INLINE ${p}state ${p}begun(const ${p}residue x)
{
    const ulong16 v = ${p}words(${passed("x", xs)});
    return (${p}state){x, ${halves("v", words)}, 0};
}

// The next value of the same x.
CLRNG_INLINE ${p}state ${p}moved(${p}state s)
{
% for j in range(words - 2):
    s.r${j} = ${p}middle(s.r${j + 1}, s.r${j + 2});
% endfor
    s.r${words - 2} = s.r${words - 1} >> 16;
    s.piece++;
    return s;
}

CLRNG_INLINE ${p}state ${p}at_piece(const ${p}residue x, const uint piece)
{
    ${p}state s = ${p}begun(x);
    while (s.piece < piece) s = ${p}moved(s);
    return s;
}

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const ulong {name}" for name in given)})
{
    return ${p}at_piece((${p}residue){${", ".join(f"({low_bits(29 * k)}) & {mask}u" for k in range(digits))}},
                        convert_uint(word_9));
}
% for i in range(9):

CLRNG_INLINE ulong ${p}word_${i}(const ${p}state s) { return ${bits_of(lambda j: f"(ulong)s.x.x{j}", 29, 64 * i, 64)}; }
% endfor

CLRNG_INLINE ulong ${p}word_9(const ${p}state s) { return s.piece; }

CLRNG_INLINE ulong ${p}value(const ${p}state s) { return s.r0 | ((ulong)(s.r1 & 0xffffu) << 32); }

CLRNG_INLINE ${p}state ${p}next(const ${p}state s)
{
    return s.piece == 11 ? ${p}begun(${p}stepped(s.x)) : ${p}moved(s);
}

// A stride is a power of a, two digits in each word, the lower one in the low half, and how many values of x it goes on by.
typedef __global const ulong *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ulong *row) { return row; }

CLRNG_INLINE ${p}residue ${p}factor(__global const ulong *row)
{
    return (${p}residue){${", ".join(f"convert_uint(row[{k // 2}] {'>> 32' if k % 2 else '& 0xffffffffu'})" for k in range(digits))}};
}

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by)
{
    ${p}residue x = ${p}product(s.x, ${p}factor(by));
    uint piece = s.piece + convert_uint(by[10]);
    if (piece > 11) {
        x = ${p}stepped(x);
        piece -= 12;
    }
    return ${p}at_piece(x, piece);
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }

// a^(2^j), for 2^j steps of x, in digits.
${constants("uint", p + "powers", powers)}

// The state n steps on.
CLRNG_INLINE ${p}state ${p}jump(const ${p}state s, const ulong n)
{
    ${p}residue x = s.x;
    ulong states = n / 12;
    uint piece = s.piece + convert_uint(n - 12 * states);
    if (piece > 11) {
        piece -= 12;
        states++;
    }
    __constant uint *power = ${p}powers;
    for (; states != 0; states >>= 1, power += ${digits})
        if (states & 1) x = ${p}product(x, (${p}residue){${", ".join(f"power[{k}]" for k in range(digits))}});
    return ${p}at_piece(x, piece);
}

// The state n steps on, from a table of a^(d * 16^j), for d = 1 ... 15.
CLRNG_INLINE ${p}state ${p}jump_by_tables(const ${p}state s, const ulong n, __global const ulong *tables)
{
    ${p}residue x = s.x;
    ulong states = n / 12;
    uint piece = s.piece + convert_uint(n - 12 * states);
    if (piece > 11) {
        piece -= 12;
        states++;
    }
    for (; states != 0; states >>= 4, tables += ${15 * 10})
        if (states & 15) x = ${p}product(x, ${p}factor(tables + ((states & 15) - 1) * 10));
    return ${p}at_piece(x, piece);
}
