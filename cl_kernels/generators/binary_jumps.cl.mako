<%
    type = f"{word}{w}"
    fields = [f"x{i}" for i in range(linear)]
    unrolled = 8 if linear == 1 else 2
    polynomial_words = -(-degree // 32)
%>
<%def name="add_columns(where)">
% for i, field in enumerate(fields):
    for (uint j = 0; j < ${word_bits}; j += ${unrolled}, by += ${unrolled * linear}) {
% for j in range(unrolled):
        {
            const ${type} taken = 0${u} - ((s.${field} >> (j + ${j}u)) & 1${u});
% for k, other in enumerate(fields):
            sum.${other} ^= taken & by[${j * linear + k}];
% endfor
        }
% endfor
    }
% endfor
</%def>\
<%
    zeros = listed([f"({type})(0)"] * linear + [f"s.{d}" for d in beside])
%>\
// A stride is a matrix over GF(2): a column of ${linear} word(s) for each bit of the words${", and then the stride of what is beside them" if beside else ""}.
typedef __global const ${word} *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ${word} *row) { return row; }

// The product of a matrix and a state: the xor of the columns of those bits that are 1.
CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, ${p}stride by)
{
    ${p}state sum = {${zeros}};
${add_columns("by")}\
    return ${f"{p}beside_by(sum, by)" if beside else "sum"};
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:
% if folded:

// The strides of 2^j steps.
${constants(word, p + "powers", powers)}

// The state n steps on. The period is 2^32 - 1, so 2^32 steps are one, and the two halves of n are added.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, const ulong n)
{
% if beside:
    s = ${p}beside_after(s, n);
% endif
    const ulong folded = (n >> 32) + (n & 0xffffffffUL);
    uint left = convert_uint(folded >> 32) + convert_uint(folded & 0xffffffffUL);
    __constant uint *power = ${p}powers;
    for (; left != 0; left >>= 1, power += 32) {
        if (left & 1u) {
            uint sum = 0;
% for j in range(32):
            sum ^= (0u - ((s.x0 >> ${j}) & 1u)) & power[${j}];
% endfor
            s.x0 = sum;
        }
    }
    return s;
}
% else:

// The polynomials of the jumps by d 16^j steps, for the digits d = 1 ... 15 of the places j: bit i is the coefficient of
// x^i.
${constants("uint", p + "powers", powers)}

// The sum of the states 0, 1, 2, ... steps on whose coefficients in `weights` are 1.
CLRNG_CALLED ${p}state ${p}jump_by(${p}state s, __constant const uint *weights)
{
    ${p}state sum = {${zeros}};
    for (uint i = 0; i < ${polynomial_words}; i++) {
        uint left = weights[i];
        for (uint j = 0; j < 32; j += 4, left >>= 4) {
% for j in range(4):
            {
                const ${word} taken = 0${u} - (${word})((left >> ${j}) & 1u);
% for field in fields:
                sum.${field} ^= taken & s.${field};
% endfor
                s = ${p}shifted(s);
            }
% endfor
        }
    }
    return sum;
}

// The state n steps on.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, ulong n)
{
% if beside:
    s = ${p}beside_after(s, n);
% endif
    for (uint j = 0; n != 0; n >>= 4, j += 15)
        if (n & 15u) s = ${p}jump_by(s, ${p}powers + (j + (uint)(n & 15u) - 1) * ${polynomial_words});
    return s;
}
% if by_tables:

// The state n steps on, from tables of the same jumps. The table of a jump has the xor of the columns for each of the
// ${16} values of every four bits of a state, in ${table_row} words.
CLRNG_INLINE ${p}state ${p}jump_by_tables(${p}state s, ulong n, __global const ${word} *tables)
{
% if beside:
    s = ${p}beside_after(s, n);
% endif
    for (; n != 0; n >>= 4, tables += ${15 * table_words}) {
        if ((n & 15u) == 0) continue;
        __global const ${word} *table = tables + ((uint)(n & 15u) - 1) * ${table_words};
        ${word}${"" if table_row == 1 else table_row} sum = 0;
% if linear > 8:
        // One loop over the words, each of which takes its turn as x0: a loop for each word takes some compilers minutes.
        for (uint i = 0; i < ${linear}; i++) {
            for (uint j = 0; j < ${word_bits}; j += 4, table += ${16 * table_row})
                sum ^= *(__global const ${word}${table_row} *)(table + (uint)((s.x0 >> j) & 15u) * ${table_row});
% for field, following in zip(fields, fields[1:]):
            s.${field} = s.${following};
% endfor
        }
% else:
% for i, field in enumerate(fields):
        for (uint j = 0; j < ${word_bits}; j += 4, table += ${16 * table_row})
            sum ^= *(__global const ${word}${"" if table_row == 1 else table_row} *)(table + (uint)((s.${field} >> j) & 15u) * ${table_row});
% endfor
% endif
% for i, field in enumerate(fields):
        s.${field} = sum${"" if table_row == 1 else f".s{i:x}"};
% endfor
    }
    return s;
}
% endif
% endif
% endif
