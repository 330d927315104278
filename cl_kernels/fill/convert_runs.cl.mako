// Turns raw values into values of ${steps} step(s) that are put into runs of memory. The values are `n` of the runs,
// counted from value `within` of run `run`. `raw` begins with the first step of the value at place `from`, where that of
// the first run is 0. The axes of runs are the innermost first, three numbers each: how many runs, how many values of the
// stream lie from one to the next, and how many values of memory; value i of a run is i * spacing further on.
__kernel void convert_runs(__global const ${value} *restrict raw, const ulong from, __global ${out} *restrict out,
                           const ulong offset, const uint n, const uint run, const uint within, const uint length,
                           const long spacing, __global const long *restrict axes, const uint dimensions${parameters})
{
    const uint k = get_global_id(0);
    if (k >= n) return;
    const uint i = (k + within) % length;
    uint left = run + (k + within) / length;
    ulong place = i;
    long at = i * spacing;
    for (uint d = 0; d < dimensions; d++, axes += 3) {
        const uint count = convert_uint(axes[0]), index = left % count;
        left /= count;
        place += index * (ulong)axes[1];
        at += index * axes[2];
    }
    raw += (place - from) * ${steps};
    out[(long)offset + at] = ${outputs.convert(s, *(f"raw[{d}]" for d in range(steps)))};
}
