<%
    vector = out if width == 1 else f"{out}{width}"
    words = word if width == 1 else f"{word}{width}"
    load = "*({0})" if width == 1 else "vload%d(0, {0})" % width
    store = "*({1}) = {0}" if width == 1 else "vstore%d({0}, 0, {1})" % width
    first_lag, second_lag = lags
%>
<%include file="store.cl.mako"/>
// One exact stream in blocks of `each` values, one a work-item: block b begins with the state in row b of `states`, of
// `state_words` words, and makes out[offset + b*each + i] for 0 <= i < each, all b*each + i < n. This launch makes the
// values from `done` on, at most `most` of them, and leaves the state after them in the row.
//
// The words are in a line of ${order} older ones and ${tile} new ones, after which the last ${order} move to its beginning.
__kernel void fill_rows(__global ${word} *restrict states, const uint state_words, __global ${out} *restrict out,
                        const ulong offset, const uint n, const uint each, const uint done, const uint most,
                        __global ${word} *restrict lines)
{
    const ulong first = (ulong)get_global_id(0) * each;
    if (first >= n) return;
    const uint count = CLRNG_MIN(each, n - convert_uint(first));
    if (done >= count) return;
    const uint end = most < count - done ? done + most : count;
    states += get_global_id(0) * (size_t)state_words;
    out += offset + first;
    const bool aligned = ((size_t)out & ${width * out_bytes - 1}) == 0;
    __global ${word} *old = lines + get_global_id(0) * (size_t)${line_words}, *new = old + ${order};
    for (uint i = 0; i < ${order}u; i++) old[i] = states[i];

    for (uint made = done; made < end; made += ${tile}u) {
        const uint some = CLRNG_MIN(${tile}u, end - made);
        for (uint i = 0; i < some; i += ${width}u) {
            const ${words} x = ${v}combined(${load.format(f"new + i - {first_lag}")}, ${load.format(f"new + i - {second_lag}")});
            ${store.format("x", "new + i")};
        }
        const uint whole = aligned ? some - some % ${width}u : 0;
        for (uint i = 0; i < whole; i += ${width}u)
            CLRNG_STORE(${v}emit(${v}shown(${load.format("new + i")})), (__global ${vector} *)(out + made + i));
        for (uint i = whole; i < some; i++) out[made + i] = ${s}emit(${s}shown(new[i]));
        for (uint i = 0; i < ${order}u; i += ${width}u) {
            const ${words} x = ${load.format("old + some + i")};
            ${store.format("x", "old + i")};
        }
    }
    for (uint i = 0; i < ${order}u; i++) states[i] = old[i];
}
