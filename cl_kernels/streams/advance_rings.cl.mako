<%
    vector = out if width == 1 else f"{out}{width}"
    words = word if width == 1 else f"{word}{width}"
    word_bytes = 4 if word == "uint" else 8
%>
typedef ${words} words_anywhere __attribute__((aligned(${word_bytes})));
typedef ${vector} values_anywhere __attribute__((aligned(${out_bytes})));
<%def name="advanced(prefix, words, values)">
        uint now = at;
% for j, lag in enumerate(lags):
        uint from${j} = at < ${lag}u ? at + ${order - lag}u : at - ${lag}u;
% endfor
        for (uint j = 0; j < steps; j++) {
            const ${words} x = ${prefix}combine(${", ".join(f"*(__global {values[0]} *)(states + from{j} * (size_t)count)" for j in range(len(lags)))});
            *(__global ${values[0]} *)(states + now * (size_t)count) = x;
% if keep_all:
            *(__global ${values[1]} *)(out + j * (size_t)count) = ${outputs.convert(prefix, f"{prefix}output_bits(x)")};
% else:
            if (j + 1 == steps) *(__global ${values[1]} *)out = ${outputs.convert(prefix, f"{prefix}output_bits(x)")};
% endif
            now = now + 1 == ${order} ? 0 : now + 1;
% for j in range(len(lags)):
            from${j} = from${j} + 1 == ${order} ? 0 : from${j} + 1;
% endfor
        }
</%def>
// Moves every stream on by `steps` steps; a work-item has ${width} stream(s). The state of stream i is a ring: its word
// j, the oldest first, is states[(at + j) mod ${order} * count + i]. The value of step j goes to out[offset + j*count +
// i] or, where only the last value is kept, to out[offset + i]. One further work-item writes to `made` that the streams
// have now made `made_now` steps.
__kernel void advance_rings(__global ${word} *restrict states, __global ${out} *restrict out, const ulong offset,
                           const uint count, const uint steps, __global ulong *restrict made,
                           const ulong made_now, const uint at${parameters})
{
    const uint first = get_global_id(0) * ${width}u;
    if (first >= count) {
        if (first - count < ${width}u) *made = made_now;
        return;
    }
    out += offset + first;
    states += first;
    if (first + ${width}u <= count) {
${advanced(v, words, ("words_anywhere", "values_anywhere"))}    } else {
        for (uint i = first; i < count; i++, states++, out++) {
${advanced(s, word, (word, out))}        }
    }
}
