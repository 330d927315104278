// For all i < n, out[offset + i] becomes how many of the increasing `bounds`, `size` in number, are at most 2^53 times the
// double of step i. `top` is a power of two above size / 2.
#define DIGITS(x) (${digits_of})
__kernel void place_choices(__global const ulong *restrict steps, const ulong n, __global const ulong *restrict bounds,
                            const uint size, const uint top, __global long *restrict out, const ulong offset)
{
    const size_t i = get_global_id(0);
    if (i >= n) return;
    const ulong x = DIGITS(steps[i]);
    uint found = 0;
    for (uint step = top; step > 0; step >>= 1) {
        const uint next = found + step;
        found = next <= size && bounds[next - 1] <= x ? next : found;
    }
    out[offset + i] = found;
}
