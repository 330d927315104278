// Turns raw values into values of ${steps} step(s) that are put into runs of memory. There are `n` values, from
// value `within` of run `run` on; a work-item makes up to `each`. `raw` begins with the first step of the value at place
// `from` of the stream, where the first run is at place 0. Each axis of runs, the innermost first, has three numbers: how
// many runs, and how far it is from one to the next in values of the stream and in values of memory. Value i of a run is
// i * spacing values behind the first in memory.
__kernel void convert_runs(__global const ${value} *restrict raw, const ulong from, __global ${out} *restrict out,
                           const ulong offset, const uint n, const uint each, const uint run, const uint within,
                           const uint length, const long spacing, __global const long *restrict axes,
                           const uint dimensions${parameters})
{
    const ulong first = (ulong)get_global_id(0) * each;
    if (first >= n) return;
    uint left = CLRNG_MIN(each, n - convert_uint(first));
    const uint begun = (convert_uint(first) + within) / length;
    uint i = convert_uint(first) + within - begun * length, current = run + begun;
    for (; left != 0; i = 0, current++) {
        ulong place = i;
        long at = (long)offset + i * spacing;
        uint inner = current;
        for (uint d = 0; d < dimensions; d++) {
            const uint count = convert_uint(axes[3 * d]), others = inner / count, index = inner - others * count;
            inner = others;
            place += index * (ulong)axes[3 * d + 1];
            at += index * axes[3 * d + 2];
        }
        const uint some = CLRNG_MIN(left, length - i);
        __global const ${value} *x = raw + (place - from) * ${steps};
        __global ${out} *to = out + at;
        if (spacing == 1)
            for (uint k = 0; k < some; k++) to[k] = ${outputs.convert(s, *(f"x[k * (size_t){steps} + {d}]" for d in range(steps)))};
        else
            for (uint k = 0; k < some; k++) to[k * spacing] = ${outputs.convert(s, *(f"x[k * (size_t){steps} + {d}]" for d in range(steps)))};
        left -= some;
    }
}
