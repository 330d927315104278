    // Which column of which runs: those from `row` on along the first axis, `slots` apart. `place` and `at` are where
    // the first of them begins, in the stream and in memory.
    const bool has_column = lane < lanes;
    const ulong slot = lane / columns;
    const uint column = convert_uint(lane - slot * columns);
    ulong left_over = slot / slots;
    const ulong row = slot - left_over * slots;
    ulong place = row * pitch;
    long at = (long)offset + (long)row * apart;
    for (uint d = 0; d < dimensions; d++, axes += 3) {
        const ulong count = axes[0], rest = left_over / count, i = left_over - rest * count;
        left_over = rest;
        place += i * (ulong)axes[1];
        at += (long)i * axes[2];
    }
    const uint turns = has_column && row < rows ? convert_uint((rows - row - 1) / slots + 1) : 0;
