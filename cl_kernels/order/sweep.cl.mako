<%include file="keys.cl.mako"/>
<%include file="scan_in_group.cl.mako"/>
<%
    tile = group_size * keys_each
    rows = group_size // 32
    bytes_each = max(key_bits // 8, value_bytes if values else 0)
    exchange = -(-max(tile * bytes_each, 4 * rows * digits) // 8)
%>
#ifdef __NV_CL_C_VERSION
// A row, 32 neighbouring work-items, is a warp. ROW_SYNC makes what a work-item stored in local memory seen by its row.
#define ROW_SYNC() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define READ(place) (*(place))
#define WRITE(place, word) *(place) = (word)
#else
#define ROW_SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#define READ(place) atomic_or(place, 0u)
#define WRITE(place, word) atomic_xchg(place, word)
#endif

// Which of the work-items of a row have the same digit as this one: a bit for each. All work-items of the group call it.
CLRNG_INLINE uint peers_of(const uint digit, __local volatile uint *votes)
{
#ifdef __NV_CL_C_VERSION
    // They vote for every bit of a digit.
    uint peers;
    asm volatile("{ .reg .pred has; .reg .b32 vote, bit; mov.b32 %0, 0xffffffff;"
    % for bit in range(digits.bit_length() - 1):
        "and.b32 bit, %1, ${1 << bit}; setp.ne.u32 has, bit, 0; vote.sync.ballot.b32 vote, has, 0xffffffff;"
        "@!has not.b32 vote, vote; and.b32 %0, %0, vote;"
    % endfor
        "}" : "=&r"(peers) : "r"(digit));
#else
    const uint item = get_local_id(0), row = item & ~31u;
    barrier(CLK_LOCAL_MEM_FENCE);
    votes[item] = digit;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint peers = 0;
    for (uint i = 0; i < 32; i++) peers |= (votes[row + i] == digit ? 1u : 0u) << i;
#endif
    return peers;
}

// What a state of a digit of a tile says beside a number of keys: nothing yet; how many keys of the tile have the digit;
// or where the keys of the digit in the next tile begin.
#define NUMBER 0x3fffffffu
#define COUNTED 0x40000000u
#define PLACED 0x80000000u
#define STATES(pass) (counters + passes * ${digits + 1} + ((pass) & 1) * get_num_groups(0) * ${digits})

// Moves the keys of a tile to where those of their digits go, and the values with them, in pass number `pass` of `passes`.
// `counters` has the counts of the digits of each pass, a number of each pass, and then twice the states of the digits of
// each tile: passes take them by turns, and set the others to 0 for the next pass. Numbers and the first states begin as
// 0. Where the keys of a digit begin is known when the tiles before are: a work-group takes the next tile that nobody has,
// so that the tiles before are those of work-groups that have begun, and waits for these. That ends where work-groups that
// have begun go on. After `patience` looks at a state in vain it does not wait any more: the keys are put anywhere.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void sweep(__global const ${word} *restrict keys, const ulong offset, const uint n, const uint shift,
                    const uint bits, const uint descending, __global uint *counters, const uint pass,
                    const uint passes, const uint patience<%include file="moved.cl.mako"/>)
{
    __local ulong exchange[${exchange}];
    __local uint sums[${group_size + min(16, group_size)}], start[${digits}], go[${digits}], mine;
    __local volatile uint *const counts = (__local volatile uint *)exchange;
    __local ${word} *const tile_keys = (__local ${word} *)exchange;
% if values:
    __local ${value} *const tile_values = (__local ${value} *)exchange;
% endif
    const uint item = get_local_id(0), lane = item & 31;
    const uint mask = (1u << bits) - 1, flip = descending ? mask : 0;
    if (item == 0) mine = atomic_inc(&counters[passes * ${digits} + pass]);
    for (uint i = item; i < ${rows * digits}; i += ${group_size}) counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    __global volatile uint *const told = STATES(pass);
    const uint tile = mine, begin = tile * ${tile}u, valid = min(n - begin, ${tile}u), missing = ${tile}u - valid;
<%include file="offsets.cl.mako" args="begin=' + begin'"/>\

    // Each row of work-items has neighbouring keys, and counts by itself how many of a digit come before each.
    const uint own = (item - lane) * ${keys_each} + lane;
    __local volatile uint *const row = counts + item / 32 * ${digits};
    ${word} key[${keys_each}];
    uint rank[${keys_each}];    // in the lower half; in the upper one is the digit
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = own + 32 * j;
        key[j] = i < valid ? keys[i] : 0;
    }
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint digit = own + 32 * j < valid ? digit_of(key[j], shift, mask, flip) : ${digits - 1}u;
        const uint peers = peers_of(digit, sums), below = peers & ((1u << lane) - 1);
        const uint before = row[digit];
        ROW_SYNC();
        rank[j] = digit << 16 | (before + popcount(below));
        if (below == 0) row[digit] = before + popcount(peers);
        ROW_SYNC();
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // A work-item adds up a digit, tells the other tiles how many there are, and finds out where they begin.
    uint count = 0, known = 0, all;
    if (item < ${digits}) {
        if (pass + 1 < passes) STATES(pass + 1)[tile * ${digits} + item] = 0;
#pragma unroll
        for (uint i = 0; i < ${rows}; i++) {
            const uint some = counts[i * ${digits} + item];
            counts[i * ${digits} + item] = count;
            count += some;
        }
        known = item == ${digits - 1} ? count - missing : count;
        if (tile) WRITE(&told[tile * ${digits} + item], COUNTED | known);
    }
    const uint first = sum_before(count, sums, &all);
    if (item < ${digits}) start[item] = first;
    const uint total = tile == 0 && item < ${digits} ? counters[pass * ${digits} + item] : 0;
    uint place = sum_before(total, sums, &all);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) rank[j] = (rank[j] & 0xffffu) + start[rank[j] >> 16] + row[rank[j] >> 16];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) tile_keys[rank[j]] = key[j];
    if (item < ${digits}) {
        place = tile ? 0 : place;
        uint looks = patience;
        for (uint before = tile; before > 0 && looks > 0;) {
            uint state[${looks}];
#pragma unroll
            for (uint i = 0; i < ${looks}; i++)
                state[i] = READ(&told[(before > i ? before - i - 1 : 0) * ${digits} + item]);
            bool waiting = false;
#pragma unroll
            for (uint i = 0; i < ${looks}; i++) {
                waiting = waiting || state[i] < COUNTED;
                if (!waiting && before > 0) {
                    place += state[i] & NUMBER;
                    before = state[i] & PLACED ? 0 : before - 1;
                }
            }
            looks -= waiting;
        }
        WRITE(&told[tile * ${digits} + item], PLACED | (place + known));
        go[item] = place - first;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint to[${keys_each}];
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = j * ${group_size} + item;
        const ${word} moved = i < valid ? tile_keys[i] : 0;
        to[j] = i < valid ? min(go[digit_of(moved, shift, mask, flip)] + i, n - 1) : 0;
% if keys_out:
        if (i < valid) new_keys[to[j]] = moved;
% endif
    }
% if values:
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = own + 32 * j;
        if (i < valid) tile_values[rank[j]] = ${"values[i]" if values == "read" else "begin + i"};
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = j * ${group_size} + item;
        if (i < valid) new_values[to[j]] = tile_values[i];
    }
% endif
}
