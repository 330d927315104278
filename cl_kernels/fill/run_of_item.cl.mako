    // Which column of which runs: those from `row` on along the first axis, `slots` apart. `place` and `at` are where
    // the first of them begins, in the stream and in memory.
    ulong left_over = lane;
    const bool has_column = lane < lanes;
    const uint column = convert_uint(left_over % columns);
    left_over /= columns;
    const ulong row = left_over % slots;
    left_over /= slots;
    ulong place = row * pitch;
    long at = (long)offset + (long)row * apart;
    for (uint d = 0; d < dimensions; d++, axes += 3) {
        const ulong count = axes[0], i = left_over % count;
        left_over /= count;
        place += i * (ulong)axes[1];
        at += (long)i * axes[2];
    }
    const uint turns = has_column && row < rows ? convert_uint((rows - row - 1) / slots + 1) : 0;
