${form}
// Value i of ${values} that a library makes of words[begin + ${words} * g] and those behind becomes out[offset + ${values} * g + i], where that is below n.
% if layout == "in_streams":
// Words are those of many streams, a row of one of each after the other; g is counted from `first` on, and goes from stream to stream.
% elif layout == "in_blocks":
// Numbers are taken and stored in blocks of 16: the first is one of the first half of a block, and the other lies 8 numbers behind it.
% endif
__kernel void converted(__global ${ctype} *restrict out, const ulong offset, const ulong n,
                        __global const uint *restrict words, const ulong begin, const uint streams, const ulong first,
                        const ulong range, const long low)
{
    const ulong g = get_global_id(0);
    uint w[${words}];
    ${ctype} y[${values}];
% if layout == "in_blocks":
    const ulong place = g / 8 * 16 + g % 8;
    if (place + 8 >= n) return;
% for i in range(words):
    w[${i}] = words[begin + (place + ${0 if i < words // 2 else 8}) * ${words // 2} + ${i % (words // 2)}];
% endfor
    form(w, y, range, low);
    out[offset + place] = y[0];
    out[offset + place + 8] = y[1];
% else:
    if (g * ${values} >= n) return;
% for i in range(words):
    w[${i}] = words[begin + ${f"((first + g) / streams * {words} + {i}) * streams + (first + g) % streams" if layout == "in_streams" else f"g * {words} + {i}"}];
% endfor
    form(w, y, range, low);
% for i in range(values):
    if (g * ${values} + ${i} < n) out[offset + g * ${values} + ${i}] = y[${i}];
% endfor
% endif
}
