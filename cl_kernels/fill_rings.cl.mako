<%
    group = 16 // out_bytes
    vector = out if group == 1 else f"{out}{group}"
    words = word if group == 1 else f"{word}{group}"
    lanes = [""] if group == 1 else [f".s{i}" for i in range(group)]
    fence = "CLK_LOCAL_MEM_FENCE" if space == "__local" else "CLK_GLOBAL_MEM_FENCE"
    first_lag, second_lag = lags
    trim = str.strip
%>
<%def name="making(guard)">
                const uint a = at < ${first_lag}u ? at + ${ring_words - first_lag}u : at - ${first_lag}u;
                const uint b = at < ${second_lag}u ? at + ${ring_words - second_lag}u : at - ${second_lag}u;
% for r in range(0, step, group_items):
<% guards = [guard.replace("i", "i + %du" % r if r else "i")] * bool(guard) + ["i + %du < %du" % (r, step)] * (r + group_items > step) %>
                ${"if (%s) " % " && ".join(guards) if guards else ""}{
                    const ${word} x = ${s}combined(ring[a + i + ${r}u], ring[b + i + ${r}u]);
                    ring[at + i + ${r}u] = x;
                    if (at == 0) ring[${ring_words}u + i + ${r}u] = x;
                }
% endfor
                barrier(${fence});
</%def>
// One exact stream in blocks of `each` values, one a work-group: block b begins with the state in row b of `states`, of
// `state_words` words, and makes out[offset + b*each + i] for 0 <= i < each, all b*each + i < n. This launch makes the
// values from `done` on, at most `most` of them, and leaves the state after them in the row.
//
// The words are in a ring of ${ring_words}, the first ${step} of them at its end again, so that reading needs to turn around only
// for whole steps: of ${step} words, none of which depends on another, so the work-items make them together.
__attribute__((reqd_work_group_size(${group_items}, 1, 1)))
__kernel void fill_rings(__global ${word} *restrict states, const uint state_words, __global ${out} *restrict out,
                         const ulong offset, const uint n, const uint each, const uint done, const uint most,
                         __global ${word} *restrict rings)
{
% if space == "__local":
    __local ${words} aligned_ring[${held_words // group}];
    __local ${word} *ring = (__local ${word} *)aligned_ring;
% else:
    __global ${word} *ring = rings + get_group_id(0) * (size_t)${held_words};
% endif
    const uint lane = get_local_id(0), i = lane;
    const ulong first = (ulong)get_group_id(0) * each;
    if (first >= n) return;
    const uint count = CLRNG_MIN(each, n - convert_uint(first));
    if (done >= count) return;
    const uint end = most < count - done ? done + most : count;
    states += get_group_id(0) * (size_t)state_words;
    out += offset + first;
    const bool aligned = ((size_t)out & 15) == 0;
    for (uint i = lane; i < ${order}u; i += ${group_items}u) ring[${ring_words - order} + i] = states[i];
    barrier(${fence});

    uint at = 0;
    for (uint made = done; made < end; made += ${tile}u) {
        const uint some = CLRNG_MIN(${tile}u, end - made), from = at;
        if (some == ${tile}u) {
            for (uint s = 0; s < ${tile}u; s += ${step}u) {
                ${making("") | trim}
                at = at == ${ring_words - step}u ? 0 : at + ${step}u;
            }
        } else {
            for (uint s = 0; s < some; s += ${step}u) {
                ${making("s + i < some") | trim}
                at += CLRNG_MIN(${step}u, some - s);
                at = at == ${ring_words}u ? 0 : at;
            }
        }
        if (some == ${tile}u && aligned) {
            for (uint i = lane * ${group}u; i < ${tile}u; i += ${group_items * group}u) {
                const uint k = CLRNG_MIN(from + i, from + i - ${ring_words}u);
                const ${words} x = *(${space} const ${words} *)(ring + k);
                *(__global ${vector} *)(out + made + i) = ${joined(out, [f"{s}emit({s}shown(x{l}))" for l in lanes])};
            }
        } else {
            for (uint i = lane; i < some; i += ${group_items}u)
                out[made + i] = ${s}emit(${s}shown(ring[CLRNG_MIN(from + i, from + i - ${ring_words}u)]));
        }
    }
    for (uint i = lane; i < ${order}u; i += ${group_items}u) {
        const uint k = at + ${ring_words - order} + i;
        states[i] = ring[CLRNG_MIN(k, k - ${ring_words}u)];
    }
}
