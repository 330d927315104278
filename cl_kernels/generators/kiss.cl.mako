<%
    type = f"uint{w}"
    fields = [f"x{i}" for i in range(len(parts))]
    places = [sum(part.stride_words for part in parts[:i]) for i in range(len(parts) + 1)]
%>
<%def name="moved()">
% for part, field, place in zip(parts, fields, places):
% if part.stride_words == 2:
    s.${field} = s.${field} * row[${place}] + row[${place + 1}];
% elif part.stride_words == 1:
    s.${field} = convert_uint${w}(convert_ulong${w}(s.${field}) * row[${place}] % ${part.modulus}UL);
% else:
    {
        ${type} sum = 0;
        for (uint j = 0; j < 32; j++)
            sum ^= (0u - ((s.${field} >> j) & 1u)) & row[${place} + j];
        s.${field} = sum;
    }
% endif
% endfor
</%def>\
// Words, each of a simple generator. A stride has those of all: a product and a sum, a product modulo a prime, or the
// columns of a matrix over GF(2).
<%include file="words_of_state.cl.mako" args="type=type, fields=fields"/>\

CLRNG_INLINE ${type} ${p}value(const ${p}state s)
{
    const ${type} ${listed(f"{field} = s.{field}" for field in fields)};
    return ${shown};
}

CLRNG_INLINE ${p}state ${p}next(${p}state s)
{
% for part, field in zip(parts, fields):
% if part.stride_words == 2:
    s.${field} = s.${field} * ${part.multiplier}u + ${part.increment}u;
% elif part.stride_words == 1:
    s.${field} = (s.${field} & 0xffffu) * ${part.multiplier}u + (s.${field} >> 16);
% else:
% for shift in part.shifts:
    s.${field} ^= s.${field} ${"<<" if shift > 0 else ">>"} ${abs(shift)};
% endfor
% endif
% endfor
    return s;
}

typedef __global const uint *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const uint *row) { return row; }

CLRNG_INLINE ${p}state ${p}apply_stride(${p}state s, const ${p}stride row)
{
${moved()}\
    return s;
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

// The strides of 2^j steps.
${constants("uint", p + "powers", powers)}

// The state n steps after s.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, ulong n)
{
    __constant uint *row = ${p}powers;
    for (; n != 0; n >>= 1, row += ${places[-1]}) {
        if ((n & 1) == 0) continue;
${moved()}\
    }
    return s;
}
% endif
