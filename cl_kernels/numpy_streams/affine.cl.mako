#pragma OPENCL FP_CONTRACT OFF
// Replaces value i by offset + factor * value, rounded ${"once" if fused else "after each operation"}. Factors are `factor_step` numbers apart, and offsets likewise.
__kernel void affine(__global double *restrict values, const ulong begin, const ulong n,
                     __global const double *restrict factors, const ulong factor_step,
                     __global const double *restrict offsets, const ulong offset_step)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    const double factor = factors[i * factor_step], offset = offsets[i * offset_step], value = values[begin + i];
% if fused:
    values[begin + i] = fma(factor, value, offset);
% else:
    const double product = factor * value;
    values[begin + i] = offset + product;
% endif
}
