<%
    n = limbs
    top_limb, top_bit = divmod(top, 32)
    middle_limb, middle_bit = divmod(middle, 32)
    folds, subtractions = reduction
    digits = [value >> 32 * i & 0xFFFFFFFF for i in range(n + 1)]
%>
// Numbers modulo m = 2^${top} - 2^${middle} + 1 are arrays of ${n} limbs of 32 bits, the lowest first.
__constant uint ${p}modulus[${n + 1}] = {${", ".join(f"{digit:#x}u" for digit in digits)}};

// Replaces x, a product of two numbers below m, by a smaller number with the same residue: h * 2^${top} + l becomes
// l + h * 2^${middle} - h. No sum of limbs and a carry leaves the range of a long.
CLRNG_INLINE void ${p}fold(uint *x)
{
    uint high[${n}];
    for (int k = 0; k < ${n}; k++) {
% if top_bit:
        high[k] = (uint)(upsample(x[k + ${top_limb + 1}], x[k + ${top_limb}]) >> ${top_bit});
% else:
        high[k] = x[k + ${top_limb}];
% endif
    }
    long sum = 0;
    for (int k = 0; k < ${2 * n}; k++) {
        if (k < ${top_limb}) sum += x[k];
% if top_bit:
        if (k == ${top_limb}) sum += x[k] & ${(1 << top_bit) - 1}u;
% endif
        if (k < ${n}) sum -= high[k];
        const uint above = k >= ${middle_limb} && k < ${middle_limb + n} ? high[k - ${middle_limb}] : 0;
% if middle_bit:
        const uint below = k > ${middle_limb} && k <= ${middle_limb + n} ? high[k - ${middle_limb + 1}] : 0;
        sum += (uint)(upsample(above, below) >> ${32 - middle_bit});
% else:
        sum += above;
% endif
        x[k] = (uint)sum;
        sum >>= 32;
    }
}

// Subtracts m from x, of ${n + 1} limbs, unless x is below m.
CLRNG_INLINE void ${p}subtract(uint *x)
{
    uint less[${n + 1}];
    long difference = 0;
    for (int k = 0; k <= ${n}; k++) {
        difference += (long)x[k] - ${p}modulus[k];
        less[k] = (uint)difference;
        difference >>= 32;
    }
    for (int k = 0; k <= ${n}; k++) x[k] = difference < 0 ? x[k] : less[k];
}

// Replaces x by x * a mod m, for x and a below m. Each row adds a limb of x times a to what is left of the rows before; its
// lowest limb is then a limb of the product. (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1, so no sum overflows.
CLRNG_CALLED void ${p}multiply(uint *x, const uint *a)
{
    uint product[${2 * n}], high[${n}];
    for (int j = 0; j < ${n}; j++) high[j] = 0;
    for (int i = 0; i < ${n}; i++) {
        ulong sum = (ulong)x[i] * a[0] + high[0];
        product[i] = (uint)sum;
#pragma unroll
        for (int j = 1; j < ${n}; j++) {
            sum = (ulong)x[i] * a[j] + high[j] + (sum >> 32);
            high[j - 1] = (uint)sum;
        }
        high[${n - 1}] = (uint)(sum >> 32);
    }
    for (int k = 0; k < ${n}; k++) product[${n} + k] = high[k];
    for (int i = 0; i < ${folds}; i++) ${p}fold(product);
    for (int i = 0; i < ${subtractions}; i++) ${p}subtract(product);
    for (int k = 0; k < ${n}; k++) x[k] = product[k];
}
