<%page args="key, group_size"/>\
% if group_size > 1:
    const uint lane = get_local_id(0);
    __local ${key} least[${group_size}], most[${group_size}];
    least[lane] = low;
    most[lane] = high;
    for (uint half_of_group = ${group_size // 2}; half_of_group > 0; half_of_group /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_of_group) {
            least[lane] = low = min(low, least[lane + half_of_group]);
            most[lane] = high = max(high, most[lane + half_of_group]);
        }
    }
    if (lane > 0) return;
% endif
    found[2 * get_group_id(0)] = low;
    found[2 * get_group_id(0) + 1] = high;
