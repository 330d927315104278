<% a, b, c = shifts %>
// y ^= y << ${a}, y ^= y >> ${b}, y ^= y << ${c}. A stride is a matrix over GF(2): ${bits} columns, one for each bit of the state.
typedef uint${w} ${p}state;
typedef __global const uint *${p}stride;

CLRNG_INLINE ${p}state ${p}load(const uint${w} word_0) { return word_0; }

CLRNG_INLINE uint${w} ${p}word_0(const ${p}state y) { return y; }

CLRNG_INLINE uint${w} ${p}value(const ${p}state y) { return y; }

CLRNG_INLINE ${p}state ${p}next(${p}state y)
{
    y ^= y << ${a};
    y ^= y >> ${b};
    return y ^ (y << ${c});
}

CLRNG_INLINE ${p}stride ${p}stride_from(__global const uint *row) { return row; }

// The xor of the columns of the bits that are 1.
CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state y, const ${p}stride by)
{
    ${p}state sum = (${p}state)(0);
% for j in range(bits):
    sum ^= (0u - ((y >> ${j}) & 1u)) & by[${j}];
% endfor
    return sum;
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state y, const ${p}stride by) { return ${p}apply_stride(y, by); }
% if width == 1:

// The strides of 2^j steps.
__constant uint ${p}powers[${bits * bits}] = {
% for power in powers:
    ${", ".join(f"{column}u" for column in power)},
% endfor
};

// The state n steps on. The period is 2^${bits} - 1, so 2^${bits} steps are one, and the two halves of n are added.
CLRNG_INLINE ${p}state ${p}jump(${p}state y, const ulong n)
{
    const ulong folded = (n >> 32) + (n & 0xffffffffUL);
    uint left = convert_uint(folded >> 32) + convert_uint(folded & 0xffffffffUL);
    __constant uint *by = ${p}powers;
    for (; left != 0; left >>= 1, by += ${bits}) {
        if (left & 1u) {
            ${p}state sum = 0;
% for j in range(bits):
            sum ^= (0u - ((y >> ${j}) & 1u)) & by[${j}];
% endfor
            y = sum;
        }
    }
    return y;
}
% endif
