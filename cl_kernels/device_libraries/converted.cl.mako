${form}
// Value i of ${values} that a library makes of words[begin + ${words} * g] and those behind becomes out[offset + ${values} * g + i], where that is below n.
% if layout == "in_streams":
// Words are those of many streams, a row of one of each after the other; g is counted from `first` on, and goes from stream to stream.
% elif layout == "ahead":
// Words are those of many streams, as above, and those of stream s begin ahead[s] rows further on.
% elif layout == "in_eights":
// Words are those of many streams, as above, of each as many as a Mersenne Twister holds. Of each stream in turn go eight items.
% elif layout == "in_blocks":
// Numbers are taken and stored in blocks of 16: the first is one of the first half of a block, and the other lies 8 numbers behind it.
% endif
__kernel void converted(__global ${ctype} *restrict out, const ulong offset, const ulong n,
                        __global const uint *restrict words, const ulong begin, const uint streams, const ulong first,
                        const ulong range, const long low${", __global const int *restrict ahead" if layout == "ahead" else ""})
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
% if layout == "in_eights":
    // The seven words behind one of eight that come first, in the first round, go to seven rounds, as do the six sevens behind these.
    const ulong e = first + g;
    const uint lane = e % 8;
    for (uint i = 0; i < ${words}; i++) {
        const uint round = (uint)(e / 8 / streams) * ${words} + i, seven = (round - 1) / 7;
        const uint row = round == 0 ? 624 * ((11 * lane + 7) / 8) / 11 : 1 + 624 * seven / 11 + 7 * lane + (round - 1) % 7;
        w[i] = words[begin + row * (ulong)streams + e / 8 % streams];
    }
% elif layout in ("in_streams", "ahead"):
    const ulong stream = (first + g) % streams, row = (first + g) / streams * ${words}${" + ahead[stream]" if layout == "ahead" else ""};
% for i in range(words):
    w[${i}] = words[begin + (row + ${i}) * streams + stream];
% endfor
% else:
% for i in range(words):
    w[${i}] = words[begin + g * ${words} + ${i}];
% endfor
% endif
    form(w, y, range, low);
% for i in range(values):
    if (g * ${values} + ${i} < n) out[offset + g * ${values} + ${i}] = y[${i}];
% endfor
% endif
}
