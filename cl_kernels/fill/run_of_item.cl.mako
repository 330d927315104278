    // The column and the runs of this work-item: runs from `row` on along the first axis, `slots` apart. `place` and `at`
    // say where the first of them begins in the stream and in memory.
    const bool has_column = lane < lanes;
    const ulong in_columns = lane / columns;
    ulong left_over = in_columns / slots;
    const uint column = convert_uint(lane - in_columns * columns);
    const ulong row = in_columns - left_over * slots;
    ulong place = row * pitch;
    long at = (long)offset + (long)row * apart;
    for (uint d = 0; d < dimensions; d++, axes += 3) {
        const ulong count = axes[0], others = left_over / count, i = left_over - others * count;
        left_over = others;
        place += i * (ulong)axes[1];
        at += (long)i * axes[2];
    }
    const uint turns = has_column && row < rows ? convert_uint((rows - row - 1) / slots + 1) : 0;
