<%
    group = width * interleaved
    vector = out if group == 1 else f"{out}{group}"
    words = word if group == 1 else f"{word}{group}"
    word_bytes = 4 if word == "uint" else 8
    step = "{0} = {1}apply_stride_unreduced({0}, stride);" if leaping else "{0} = {1}next({0});"
    advance = lambda x, prefix: outputs.advance(prefix, x, step.format(x, prefix))
    lanes = ["s%x" % i for i in range(group)]
    parts = range(order)

    def loaded(prefix, where):
        return f"{prefix}load({', '.join(where.format(i) for i in parts)})"
%>
// The words and the values of ${group} neighbouring stream(s).
typedef ${words} ${s}words_of_group __attribute__((aligned(${word_bytes if width > 1 else word_bytes * group})));
typedef ${vector} ${s}values_of_group __attribute__((aligned(${out_bytes if width > 1 else out_bytes * group})));

// Makes `values` values of every stream, of ${steps} step(s) each; a work-item has ${group} stream(s). Word j of stream i is
// states[j*count + i]. Value j goes to out[offset + j*count + i] or, where only the last value is kept, to out[offset + i].
// One further work-item writes to `made` that the streams have now made `made_now` steps.
__kernel void advance_streams(__global ${word} *restrict states, __global ${out} *restrict out, const ulong offset,
                              const uint count, const uint values, __global ulong *restrict made,
                              const ulong made_now, __global const ${word} *restrict stride_row${parameters})
{
${outputs.opening}    const uint first = get_global_id(0) * ${group}u;
    if (first >= count) {
        if (first - count < ${group}u) *made = made_now;
        return;
    }
    out += offset + first;
    states += first;
% if leaping:
    const ${v}stride stride = ${v}stride_from(stride_row);
% endif
% if group > 1:
    if (first + ${group}u > count) {
% if leaping and v != s:
        const ${s}stride stride = ${s}stride_from(stride_row);
% endif
        for (uint i = 0; i < count - first; i++) {
            ${s}state x = ${loaded(s, "states[{}*(size_t)count + i]")};
            ${outputs.declare(s, "x")}
            for (uint j = 0; j < values; j++) {
                ${advance("x", s)}
                out[${"(size_t)j * count + " if keep_all else ""}i] = ${outputs.of_advanced(s, "x")};
            }
% for j in parts:
            states[${j}*(size_t)count + i] = ${s}word_${j}(x);
% endfor
        }
        return;
    }
% endif
% if width > 1 or group == 1:
    ${v}state x = ${loaded(v, "*(__global " + s + "words_of_group *)(states + {}*(size_t)count)")};
    ${outputs.declare(v, "x")}
    for (uint j = 0; j < values; j++) {
        ${advance("x", v)}
% if keep_all:
        *(__global ${s}values_of_group *)out = ${outputs.of_advanced(v, "x")};
        out += count;
% endif
    }
% for j in parts:
    *(__global ${s}words_of_group *)(states + ${j}*(size_t)count) = ${v}word_${j}(x);
% endfor
% if not keep_all:
    *(__global ${s}values_of_group *)out = ${outputs.of_advanced(v, "x")};
% endif
% else:
% for j in parts:
    const ${words} words_${j} = *(__global ${s}words_of_group *)(states + ${j}*(size_t)count);
% endfor
% for lane in lanes:
    ${v}state x${lane} = ${loaded(v, "words_{}." + lane)};
    ${outputs.declare(v, f"x{lane}")}
% endfor
    for (uint j = 0; j < values; j++) {
% for lane in lanes:
        ${advance(f"x{lane}", v)}
% endfor
% if keep_all:
        *(__global ${s}values_of_group *)out = ${joined(out, [outputs.of_advanced(v, f"x{lane}") for lane in lanes])};
        out += count;
% endif
    }
% for j in parts:
    *(__global ${s}words_of_group *)(states + ${j}*(size_t)count) = ${joined(word, [f"{v}word_{j}(x{lane})" for lane in lanes])};
% endfor
% if not keep_all:
    *(__global ${s}values_of_group *)out = ${joined(out, [outputs.of_advanced(v, f"x{lane}") for lane in lanes])};
% endif
% endif
}
