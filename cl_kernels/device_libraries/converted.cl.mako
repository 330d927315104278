${form}
// Value i of ${values} that a library makes of words[begin + ${words} * g] and those behind becomes out[offset + ${values} * g + i], where that is below n.
% if in_blocks:
// Numbers are taken and stored in blocks of 16: the first is one of the first half of a block, and the other lies 8 numbers behind it.
% endif
__kernel void converted(__global ${ctype} *restrict out, const ulong offset, const ulong n,
                        __global const uint *restrict words, const ulong begin, const ulong range, const long low)
{
    const ulong g = get_global_id(0);
    uint w[${words}];
    ${ctype} y[${values}];
% if in_blocks:
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
    w[${i}] = words[begin + g * ${words} + ${i}];
% endfor
    form(w, y, range, low);
% for i in range(values):
    if (g * ${values} + ${i} < n) out[offset + g * ${values} + ${i}] = y[${i}];
% endfor
% endif
}
