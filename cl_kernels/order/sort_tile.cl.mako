## Lines of a kernel that put a tile of keys in order, those from `first` on, of which `valid` are there: by the `bits` bits
## from `shift` on. Key i is then at tile_keys[PLACE(i)], and the one that was number j of a work-item at place rank[j]; its
## value, if there are values, is content[j].
    ${word} key[${keys_each}];
    uint rank[${keys_each}];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = j * ${group_size} + item;
        tile_keys[PLACE(i)] = i < valid ? keys[first + i] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) key[j] = tile_keys[PLACE(item * ${keys_each} + j)];
% if values:
    ${value} content[${keys_each}];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = j * ${group_size} + item;
        tile_values[PLACE(i)] = i < valid ? ${"values[first + i]" if values == "read" else "first + i"} : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) content[j] = tile_values[PLACE(item * ${keys_each} + j)];
% endif
    uint done = 0;
    do {
        const uint low_mask = (1u << min(bits - done, ${rank_bits}u)) - 1;
        rank_keys(key, rank, valid, shift + done, low_mask, descending ? low_mask : 0, counters, sums);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) tile_keys[PLACE(rank[j])] = key[j];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (done + ${rank_bits} < bits) {
#pragma unroll
            for (uint j = 0; j < ${keys_each}; j++) key[j] = tile_keys[PLACE(item * ${keys_each} + j)];
% if values:
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
            for (uint j = 0; j < ${keys_each}; j++) tile_values[PLACE(rank[j])] = content[j];
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
            for (uint j = 0; j < ${keys_each}; j++) content[j] = tile_values[PLACE(item * ${keys_each} + j)];
% endif
        }
        done += ${rank_bits};
    } while (done < bits);
