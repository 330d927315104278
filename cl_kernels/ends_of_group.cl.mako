<%page args="key, group_size"/>\
% if group_size > 1:
    const uint lane = get_local_id(0);
    __local ${key} least[${group_size}], most[${group_size}];
    least[lane] = low;
    most[lane] = high;
    for (uint step = ${group_size // 2}; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step) {
            least[lane] = low = min(low, least[lane + step]);
            most[lane] = high = max(high, most[lane + step]);
        }
    }
    if (lane > 0) return;
% endif
    found[2 * get_group_id(0)] = low;
    found[2 * get_group_id(0) + 1] = high;
