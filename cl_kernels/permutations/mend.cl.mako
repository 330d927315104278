<%
    starts = [f"start_{i}" for i in range(order)]
    state = ", ".join(f"const {word} {start}" for start in starts) if jumps else ""
%>
// Puts runs of places in order whose keys are equal in the bits that were sorted by. A key is `steps` raw values, which are
// ${"made again: those that follow the state `start`" if jumps else "in memory"}, in the C order of an array whose axis of `length` values has `inner` values behind it.

// The number of the key of place i of a row.
CLRNG_INLINE ulong key_at(const ulong row, const ulong i, const uint length, const uint inner)
{
    const ulong outer = row / inner;
    return (outer * length + i) * inner + (row - outer * inner);
}

// Whether key a is less than key b.
% if jumps:
CLRNG_CALLED bool is_less(const ${s}state origin, const ulong a, const ulong b, const uint steps)
{
    ${s}state x = ${s}jump(origin, (ulong)steps * a + 1), y = ${s}jump(origin, (ulong)steps * b + 1);
    for (uint step = 0; step < steps; step++) {
        const ${value} u = ${s}value(x), v = ${s}value(y);
        if (u != v) return u < v;
        x = ${s}next(x);
        y = ${s}next(y);
    }
    return false;
}
% else:
CLRNG_CALLED bool is_less(__global const ${value} *raw, const ulong a, const ulong b, const uint steps)
{
    for (uint step = 0; step < steps; step++) {
        const ${value} u = raw[(ulong)steps * a + step], v = raw[(ulong)steps * b + step];
        if (u != v) return u < v;
    }
    return false;
}
% endif

// Each run is sorted by binary insertion. Its places come in ascending order, and those of equal keys stay so.
__kernel void mend(__global ${index} *restrict places, const ulong offset, __global const uint *restrict runs,
                   __global const uint *restrict noted, const uint length, const uint inner, const uint steps,
                   ${state if jumps else f"__global const {value} *restrict raw"})
{
% if jumps:
    const ${s}state keys = ${s}load(${", ".join(starts)});
% else:
    __global const ${value} *keys = raw;
% endif
    const uint count = *runs;
    for (uint run = get_global_id(0); run < count; run += get_global_size(0)) {
        const uint begin = noted[2 * run], n = noted[2 * run + 1];
        const ulong row = begin / length;
        __global ${index} *at = places + offset + begin;
        for (uint i = 1; i < n; i++) {
            const ${index} place = at[i];
            const ulong own = key_at(row, place, length, inner);
            uint low = 0, high = i;
            while (low < high) {
                const uint middle = (low + high) / 2;
                if (is_less(keys, own, key_at(row, at[middle], length, inner), steps)) high = middle; else low = middle + 1;
            }
            for (uint j = i; j > low; j--) at[j] = at[j - 1];
            at[low] = place;
        }
    }
}
