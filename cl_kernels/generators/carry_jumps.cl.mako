<%
    fields = [f"x{i}" for i in range(r)] + ["carry"] + ["position"] * counts
%>
// Jumps. The words and the carry stand for a number z modulo m, of ${limbs} limbs of 32 bits. Going on by ${unit_words}
// words, which give ${unit} values, multiplies z by a constant; steps make the rest of a jump. The words of a lane are
// ${f"every {width}th" if width > 1 else "all those"} of an array.

// Makes z of words X and the carry: X, less the number of the last ${lag} words, plus the carry.
CLRNG_CALLED void ${p}to_number(const ${word} *words, uint *z)
{
    const uint x[${limbs}] = {
% for k in range(limbs):
        ${pieces(k, 32, bits, r, lambda i: f"words[{i * width}]", "uint")},
% endfor
    };
    long sum = (long)words[${r * width}];
% for k in range(limbs):
    sum += (long)x[${k}] - ${limb("x", k, bits * (r - lag))};
    z[${k}] = (uint)sum;
    sum >>= 32;
% endfor
}

// Makes the words and the carry from u, the number z of ${r} steps before: X = -u / (1 - 2^${bits * lag}) modulo 2^${bits * r}. The
// carry is 1 where the last ${r - lag} words are, as a number, larger than the first ${r - lag}.
CLRNG_CALLED void ${p}from_number(const uint *u, ${word} *words)
{
    uint x[${limbs}], sums[${limbs}];
    ulong sum = 1;
% for k in range(limbs):
    sum += (uint)~u[${k}];
    x[${k}] = (uint)sum;
    sum >>= 32;
% endfor
% for shift in doublings:
    sum = 0;
% for k in range(limbs):
    sum += (ulong)x[${k}] + ${limb("x", k, -shift)};
    sums[${k}] = (uint)sum;
    sum >>= 32;
% endfor
    for (int k = 0; k < ${limbs}; k++) x[k] = sums[k];
% endfor
% for i in range(r):
    words[${i * width}] = ${digit_of("x", i)};
% endfor
    ${word} carry = 0;
% for i in range(lag, r):
    carry = words[${i * width}] == words[${(i - lag) * width}] ? carry : words[${i * width}] > words[${(i - lag) * width}];
% endfor
    words[${r * width}] = carry;
}

${product}
// A stride of n values: the limbs of the factor for n / ${unit} times ${unit} values, then how many are left, n % ${unit}.
typedef __global const ${word} *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ${word} *row) { return row; }

CLRNG_CALLED ${p}state ${p}apply_stride(const ${p}state from, const ${p}stride by)
{
    ${p}state s = from;
    ${word} words[${order * width}];
    uint z[${limbs}], factor[${limbs}];
    for (int k = 0; k < ${limbs}; k++) factor[k] = (uint)by[k];
% if width == 1:
% for i, field in enumerate(fields):
    words[${i}] = s.${field};
% endfor
    ${p}to_number(words, z);
    ${p}multiply(z, factor);
    ${p}from_number(z, words);
    s = ${p}load(${listed(f"words[{i}]" for i in range(order))});
% else:
% for i, field in enumerate(fields):
    vstore${width}(s.${field}, ${i}, words);
% endfor
    for (int lane = 0; lane < ${width}; lane++) {
        ${p}to_number(words + lane, z);
        ${p}multiply(z, factor);
        ${p}from_number(z, words + lane);
    }
    s = ${p}load(${listed(f"vload{width}({i}, words)" for i in range(order))});
% endif
    for (${word} left = by[${limbs}]; left != 0; left--) s = ${p}next(s);
    return s;
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:
<%def name="jump(name, space, given, rows, type, digit_bits)">
CLRNG_CALLED ${p}state ${p}${name}(const ${p}state from, const ulong n${given})
{
    ${p}state s = from;
    ulong units = n / ${unit};
    if (units != 0) {
        ${word} words[${order}];
        uint z[${limbs}], factor[${limbs}];
% for i, field in enumerate(fields):
        words[${i}] = s.${field};
% endfor
        ${p}to_number(words, z);
        ${space} const ${type} *row = ${rows};
        for (bool first = true; first || units != 0; units >>= ${digit_bits}, row += ${limbs << digit_bits}, first = false) {
            const uint digit = (uint)units & ${(1 << digit_bits) - 1}u;
            if (digit == 0 && !first) continue;
            for (uint k = 0; k < ${limbs}u; k++) factor[k] = (uint)row[digit * ${limbs}u + k];
            ${p}multiply(z, factor);
        }
        ${p}from_number(z, words);
        s = ${p}load(${listed(f"words[{i}]" for i in range(order))});
    }
    for (uint left = (uint)(n % ${unit}); left != 0; left--) s = ${p}next(s);
    return s;
}
</%def>
// The factors of jumps of d * ${2**digit_bits}^j times ${unit} values, for every digit d of every place j. Those of place 0 also go
// back ${r} words, as the words of a state are made from the number ${r} steps before.
${constants("uint", p + "powers", [powers[begin : begin + limbs] for begin in range(0, len(powers), limbs)])}

// The state n steps on.
${jump("jump", "__constant", "", f"{p}powers", "uint", digit_bits)}
// The state n steps on, from a table of the same factors for digits of ${table_bits} bits.
${jump("jump_by_tables", "__global", f", __global const {word} *tables", "tables", word, table_bits)}
% endif
