% if plain_step:
// Steps every state from first to first + n - 1 and compares with the step in plain integers. report[0] counts the
// states whose steps differ, report[1] is the least of these, report[2] counts all states compared.
__kernel void check_steps(const uint first, const uint n, const uint each, volatile __global uint *report)
{
    const uint begin = get_global_id(0) * each;
    if (begin >= n) return;
    const uint end = CLRNG_MIN(n - begin, each) + begin;
    uint compared = 0;
    for (uint i = begin; i < end; i += ${width}) {
        uint given[${width}], got[${width}];
        for (int lane = 0; lane < ${width}; lane++) given[lane] = first + CLRNG_MIN(i + lane, end - 1);
% if width == 1:
        got[0] = ${v}word_0(${v}next(${v}load(given[0])));
% else:
        vstore${width}(${v}word_0(${v}next(${v}load(vload${width}(0, given)))), 0, got);
% endif
        for (int lane = 0; lane < ${width}; lane++) {
            const uint x = given[lane];
            const uint want = convert_uint(${plain_step});
            compared += i + lane < end;
            if (got[lane] != want && i + lane < end) {
                atomic_inc(report);
                atomic_min(report + 1, x);
            }
        }
    }
    atomic_add(report + 2, compared);
}

% endif
// Marks each of n values in a bitmap. report[0] counts the values that were marked before, report[1] those outside
// low .. high, report[2] all values.
__kernel void mark_values(__global const uint *restrict values, const uint n, const uint each, const uint low,
                          const uint high, volatile __global uint *bitmap, volatile __global uint *report)
{
    const uint begin = get_global_id(0) * each;
    if (begin >= n) return;
    const uint end = CLRNG_MIN(n - begin, each) + begin;
    uint seen = 0, outside = 0, marked = 0;
    for (uint i = begin; i < end; i++) {
        const uint value = values[i], bit = 1u << (value & 31);
        marked++;
        if (value - low > high - low) outside++;
        else seen += (atomic_or(bitmap + (value >> 5), bit) & bit) != 0;
    }
    if (seen) atomic_add(report, seen);
    if (outside) atomic_add(report + 1, outside);
    atomic_add(report + 2, marked);
}
% if digits:

// Takes one step with each residue of digits h and l; returns the digits after it and their values.
__kernel void step_digits(__global const float${w} *restrict h, __global const float${w} *restrict l,
                          __global float${w} *restrict stepped_h, __global float${w} *restrict stepped_l,
                          __global uint${w} *restrict values)
{
    const uint i = get_global_id(0);
    const ${v}residue x = {h[i], l[i]};
    const ${v}residue y = ${v}step(x);
    stepped_h[i] = y.h;
    stepped_l[i] = y.l;
    values[i] = ${v}to_word(y);
}
% endif
