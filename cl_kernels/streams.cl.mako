<%
    group = width * chains
    vector = out if group == 1 else f"{out}{group}"
    word = "uint" if group == 1 else f"uint{group}"
    size = 8 if out == "double" else 4
    advance = "{0} = {1}bound({0}, onward);" if leaping else "{0} = {1}next({0});"
    lanes = ["s%x" % i for i in range(group)]

    def four(kind, v):
        return f"({kind}4)(({kind}2)({v[0]}, {v[1]}), ({kind}2)({v[2]}, {v[3]}))"
%>
// The vectors of ${group} neighbouring streams, wherever they begin.
typedef ${word} ${s}words __attribute__((aligned(${4 if width > 1 else 4 * group})));
typedef ${vector} ${s}values __attribute__((aligned(${size if width > 1 else size * group})));

// The state of stream i: `distance` * i + `discard` steps after the state `start` + `spread` * i.
__kernel void seed_streams(__global uint *restrict states, const uint start, const uint spread, const ulong distance,
                           const uint discard)
{
    const uint i = get_global_id(0);
    states[i] = ${s}value(${s}jump(${s}load(start + spread * i), distance * i + discard));
}

// `steps` steps of every stream, ${group} streams a work-item. Step j of stream i goes to out[offset + j*count + i]
// or, where only the last value is kept, to out[offset + i].
__kernel void advance_streams(__global uint *restrict states, __global ${out} *restrict out, const ulong offset,
                              const uint count, const uint steps, const uint stride)
{
    const uint first = get_global_id(0) * ${group}u;
    if (first >= count) return;
    out += offset + first;
    states += first;
% if leaping:
    const ${v}stride onward = ${v}stride_of(stride);
% endif
% if group > 1:
    if (first + ${group}u > count) {
% if leaping and v != s:
        const ${s}stride onward = ${s}stride_of(stride);
% endif
        for (uint i = 0; i < count - first; i++) {
            ${s}state x = ${s}load(states[i]);
            for (uint j = 0; j < steps; j++) {
                ${advance.format("x", s)}
                out[${"(size_t)j * count + " if keep_all else ""}i] = ${s}emit(${s}value(x));
            }
            states[i] = ${s}value(x);
        }
        return;
    }
% endif
% if width > 1 or group == 1:
    ${v}state x = ${v}load(*(__global ${s}words *)states);
    for (uint j = 0; j < steps; j++) {
        ${advance.format("x", v)}
% if keep_all:
        *(__global ${s}values *)out = ${v}emit(${v}value(x));
        out += count;
% endif
    }
    *(__global ${s}words *)states = ${v}value(x);
% if not keep_all:
    *(__global ${s}values *)out = ${v}emit(${v}value(x));
% endif
% else:
    const ${word} words = *(__global ${s}words *)states;
% for lane in lanes:
    ${v}state x${lane} = ${v}load(words.${lane});
% endfor
    for (uint j = 0; j < steps; j++) {
% for lane in lanes:
        ${advance.format("x" + lane, v)}
% endfor
% if keep_all:
        *(__global ${s}values *)out = ${four(out, [f"{v}emit({v}value(x{lane}))" for lane in lanes])};
        out += count;
% endif
    }
    *(__global ${s}words *)states = ${four("uint", [f"{v}value(x{lane})" for lane in lanes])};
% if not keep_all:
    *(__global ${s}values *)out = ${four(out, [f"{v}emit({v}value(x{lane}))" for lane in lanes])};
% endif
% endif
}
