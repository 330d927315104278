<%
    raw_of = lambda k: [f"x[{k} + {d}]" for d in range(steps)]
%>
// Turns raw values into values of ${steps} step(s) that are put into runs of neighbouring values of memory, as convert_runs
// does. A run is cut into columns of ${per_store} values that are aligned in memory; its first and last column may be shorter.
// A work-item makes a column: `items` of them, the `columns` from `first_column` on of each run, from run `run` on. `raw` has
// the raw values of the `some` places from `from` on; values at other places are left alone.
__kernel void convert_run_tiles(__global const ${value} *restrict raw, const ulong from, const uint some,
                                __global ${out} *restrict out, const ulong offset, const uint items,
                                const uint columns, const uint first_column, const uint run, const uint length,
                                __global const long *restrict axes, const uint dimensions${parameters})
{
    const uint item = get_global_id(0);
    if (item >= items) return;
    const uint row = item / columns, column = item - row * columns + first_column;
    ulong place = 0;
    long at = (long)offset;
    uint inner = run + row;
    for (uint d = 0; d < dimensions; d++) {
        const uint count = convert_uint(axes[3 * d]), others = inner / count, index = inner - others * count;
        inner = others;
        place += index * (ulong)axes[3 * d + 1];
        at += index * axes[3 * d + 2];
    }
    out += at;
    const long begin = (long)column * ${per_store} - (long)(convert_uint((size_t)out / sizeof(${out})) & ${per_store - 1}u);
    const long made = (long)(from - place);    // where in the run the first raw value is
    const long low_i = max(max(begin, made), 0L), high_i = min(min(begin + ${per_store}, made + some), (long)length);
    if (low_i >= high_i) return;
    __global const ${value} *x = raw + (low_i - made) * ${steps};
    out += low_i;
    if (high_i - low_i == ${per_store}) {
        *(__global ${out}${per_store if per_store > 1 else ""} *)out = ${joined(out, [outputs.convert(s, *raw_of(i * steps)) for i in range(per_store)])};
    } else {
        const uint n = convert_uint(high_i - low_i);
        for (uint k = 0; k < n; k++, x += ${steps}) out[k] = ${outputs.convert(s, *raw_of(0))};
    }
}
