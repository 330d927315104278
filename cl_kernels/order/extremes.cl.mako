// The least and the largest of the keys of the values of a, of each part of part_length, the last one shorter. Keys are
// unsigned integers in the order of the values; NaN are below or above all others.
CLRNG_INLINE ${key} key_of(const ${key} bits)
{
% if kind == "f":
    return bits ^ (bits >> ${bits - 1} ? (${key})-1 : (${key})1 << ${bits - 1});
% elif kind == "i":
    return bits ^ (${key})1 << ${bits - 1};
% else:
    return bits;
% endif
}

__kernel void extremes(__global const ${key} *restrict a, const ulong a_offset, const ulong n, const ulong part_length,
                       __global ${key} *restrict found)
{
    __local ${key} least[${lanes}], most[${lanes}];
    const uint lane = get_local_id(0);
    const ulong begin = get_group_id(0) * part_length, end = min(begin + part_length, n);
    ${key} low = (${key})-1, high = 0;
    for (ulong first = begin; first < end; first += ${lanes * each}) {
% for j in range(each):
        {
            const ulong i = first + ${j * lanes} + lane;
            const ${key} key = key_of(a[a_offset + min(i, end - 1)]);
            low = min(low, key);
            high = max(high, key);
        }
% endfor
    }
    least[lane] = low;
    most[lane] = high;
    for (uint step = ${lanes // 2}; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step) {
            least[lane] = min(least[lane], least[lane + step]);
            most[lane] = max(most[lane], most[lane + step]);
        }
    }
    if (lane == 0) {
        found[2 * get_group_id(0)] = least[0];
        found[2 * get_group_id(0) + 1] = most[0];
    }
}
