${bijection}
${form}
// Value i of ${values} of item g, which a library makes of counter g under a key, becomes out[offset + place + i * apart], where that is below n.
__kernel void counted(__global ${ctype} *restrict out, const ulong offset, const ulong n, const uint items,
                      const ulong first, const uint threads, const uint key_0, const uint key_1, const uint upper_0,
                      const uint upper_1, const ulong begin, const ulong range, const long low)
{
    const uint g = get_global_id(0);
    if (g >= items) return;
    const uint key[] = {key_0, key_1};
% if layout == "in_halves":
    // The numbers of words, of which the first half and the second half are the two words of counters; behind the last one is 0.
    const ulong second = (ulong)threads + g;
    const uint counter[] = {g, second < n * ${words} ? (uint)second : 0};
    const ulong place = g, apart = threads;
% elif layout in ("in_turn", "upper_first"):
    const ulong at = first + g;
    const uint lower = (uint)at, upper = (uint)(at >> 32);
    const uint counter[] = {${"upper, lower" if layout == "upper_first" else "lower, upper"}${", upper_0, upper_1" if counter > 2 else ""}};
    const ulong place = (ulong)g * ${values}, apart = 1;
% else:
    // The threads of a launch, again and again: each counts in a stream of its own, ${each} counter(s) a turn.
    const ulong h = begin / ${values} + g, task = h / ${each}, turn = task / threads;
    const uint thread = (uint)(task % threads);
    const ulong at = first + turn * ${each} + h % ${each};
    const uint counter[] = {(uint)at, (uint)(at >> 32), thread, 0};
% if layout == "threads_apart":
    const ulong place = turn * threads * ${values} + thread, apart = threads;
% else:
    const ulong place = h * ${values} - begin, apart = 1;
% endif
% endif
    uint w[${lanes}];
    values_of(counter, key, w);
    ${ctype} y[${values}];
% for i in range(lanes // words):
    form(w + ${i * words}, y + ${i * (values * words // lanes)}, range, low);
% endfor
% for i in range(values):
    if (place + ${i} * apart < n) out[offset + place + ${i} * apart] = y[${i}];
% endfor
}
