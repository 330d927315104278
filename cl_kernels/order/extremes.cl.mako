// The smallest and the largest key of each part of the values of a. A part has part_length values, the last one fewer. Keys are
// unsigned integers in the order of the values; NaN are below or above all others. Those of group g are put in found[first + 2*g] and
// found[first + 2*g + 1].
CLRNG_INLINE ${key}${w} key_of(const ${key}${w} bits)
{
% if kind == "f":
    const ${key}${w} negative = -(bits >> (${key})${bits - 1});
    return bits ^ (negative | (${key})${1 << bits - 1}UL);
% elif kind == "i":
    return bits ^ (${key})${1 << bits - 1}UL;
% else:
    return bits;
% endif
}

__kernel void extremes(__global const ${key} *restrict a, const ulong a_offset, const ulong n, const ulong part_length,
                       __global ulong *restrict found, const ulong first)
{
    const ulong begin = get_group_id(0) * part_length, end = min(begin + part_length, n);
    ${key} low = (${key})-1, high = 0;
    ulong at = begin;
    a += a_offset;
% if width > 1:
    ${key}${width} lows = low, highs = high;
    for (; at + ${group_size * width} <= end; at += ${group_size * width}) {
        const ${key}${width} keys = key_of(vload${width}(get_local_id(0), a + at));
        lows = min(lows, keys);
        highs = max(highs, keys);
    }
    % for k in range(width):
    low = min(low, lows.s${f"{k:x}"});
    high = max(high, highs.s${f"{k:x}"});
    % endfor
% endif
    for (at += get_local_id(0); at < end; at += ${group_size}) {
        const ${key} key = key_of((${key}${w})a[at])${".s0" if width > 1 else ""};
        low = min(low, key);
        high = max(high, key);
    }
    found += first;
<%include file="../ends_of_group.cl.mako" args="key=key, group_size=group_size"/>
}
