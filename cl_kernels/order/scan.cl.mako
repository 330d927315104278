## What the kernels of this room that put values at places have in common; others inherit from it and define
##   inputs()   parameters of kernels that terms are read from, each followed by a comma
##   term()     the expression of term i, a ${total}
##   outputs()  parameters of kernels for what is written, each preceded by a comma
##   store()    what is done with term i, named term, and with the sum of all terms before it, named before;
##              sums[parts] is the sum of all terms
##   selects()  "1" where terms are 0 or 1 and store() writes to place before of the result, and nothing else. Where a
##              part is gone through by one work-item, store() is then done for all terms: a place that is written to
##              for a term of 0 is written to again for the next one of 1, and no branch has to be foreseen.
<%def name="selects()"></%def>\
<% selecting = bool(capture(self.selects).strip()) %>\
// Sums of the terms before each place of an array: reduce, scan, scatter.
//
// The n terms are cut into parts of part_length, the last one shorter. sum_parts adds up each part. scan_sums, in one
// work-group, replaces the sums by those of all parts before each, with that of all terms behind them. place_terms goes
// through each part again, knowing what is before it. No work-group waits for another, as OpenCL does not promise that
// they run at the same time; terms are read twice for it.
% if lanes == 1:
//
// A part is gone through by one work-item, which does ${each} terms a turn.
% else:
//
// A part is gone through by a work-group of ${lanes}, in tiles of ${each} terms a work-item. Terms are read, and places
// written to, by neighbouring work-items side by side. In between each work-item has ${each} neighbouring terms in local
// memory, and a word is left out after every 32, so that work-items do not meet at the same bank.
#define PADDED(k) ((k) + ((k) >> 5))
% endif

% if lanes == 1:
__kernel void sum_parts(${self.inputs()}const ulong n, const ulong part_length, __global ${total} *restrict sums)
{
    const ulong begin = get_global_id(0) * part_length, end = min(begin + part_length, n);
    ${total} ${", ".join(f"sum{j} = 0" for j in range(each))};
    ulong first = begin;
    for (; first + ${each} <= end; first += ${each}) {
    % for j in range(each):
        { const ulong i = first + ${j}; sum${j} += ${self.term()}; }
    % endfor
    }
    for (ulong i = first; i < end; i++) sum0 += ${self.term()};
    sums[get_global_id(0)] = ${" + ".join(f"sum{j}" for j in range(each))};
}

__kernel void scan_sums(__global ${total} *restrict sums, const uint parts)
{
    ${total} before = 0;
    for (uint k = 0; k < parts; k++) {
        const ${total} sum = sums[k];
        sums[k] = before;
        before += sum;
    }
    sums[parts] = before;
}

__kernel void place_terms(${self.inputs()}const ulong n, const ulong part_length,
                          __global const ${total} *restrict sums, const uint parts${self.outputs()})
{
    const ulong begin = get_global_id(0) * part_length, end = min(begin + part_length, n);
    ${total} before = sums[get_global_id(0)];
% if selecting:
    const ${total} places_end = sums[get_global_id(0) + 1];
% endif
    ulong first = begin;
    for (; first + ${each} <= end${f" && places_end - before >= {each}" if selecting else ""}; first += ${each}) {
    % for j in range(each):
        {
            const ulong i = first + ${j};
            const ${total} term = ${self.term()};
            ${self.store()}
            before += term;
        }
    % endfor
    }
    for (ulong i = first; ${"before < places_end" if selecting else "i < end"}; i++) {
        const ${total} term = ${self.term()};
        ${self.store()}
        before += term;
    }
}
% else:
// Returns the sum of x over all work-items before this one, and adds that over all to *total.
CLRNG_INLINE ${total} sum_before(const ${total} x, ${total} *total, __local ${total} *sums)
{
    const uint lane = get_local_id(0);
    ${total} sum = x;
    for (uint step = 1; step < ${lanes}; step *= 2) {
        sums[lane] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane >= step) sum += sums[lane - step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    *total += sums[${lanes - 1}];
    return sum - x;
}

__kernel void sum_parts(${self.inputs()}const ulong n, const ulong part_length, __global ${total} *restrict sums)
{
    __local ${total} of_lanes[${lanes}];
    const ulong begin = get_group_id(0) * part_length, end = min(begin + part_length, n);
    ${total} sum = 0, all = 0;
    for (ulong tile = begin; tile < end; tile += ${lanes * each}) {
    % for j in range(each):
        { const ulong i = tile + ${j * lanes} + get_local_id(0); if (i < end) sum += ${self.term()}; }
    % endfor
    }
    sum_before(sum, &all, of_lanes);
    if (get_local_id(0) == 0) sums[get_group_id(0)] = all;
}

__kernel void scan_sums(__global ${total} *restrict sums, const uint parts)
{
    __local ${total} of_lanes[${lanes}];
    ${total} before = 0;
    for (uint first = 0; first < parts; first += ${lanes}) {
        const uint k = first + get_local_id(0);
        const ${total} earlier = before, sum = k < parts ? sums[k] : 0;
        const ${total} place = earlier + sum_before(sum, &before, of_lanes);
        if (k < parts) sums[k] = place;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0) sums[parts] = before;
}

__kernel void place_terms(${self.inputs()}const ulong n, const ulong part_length,
                          __global const ${total} *restrict sums, const uint parts${self.outputs()})
{
    __local ${total} tile_sums[${lanes * each + lanes * each // 32}], of_lanes[${lanes}];
    const uint lane = get_local_id(0);
    const ulong begin = get_group_id(0) * part_length, end = min(begin + part_length, n);
    ${total} before_tile = sums[get_group_id(0)];
    for (ulong tile = begin; tile < end; tile += ${lanes * each}) {
    % for j in range(each):
        ${total} term${j} = 0;
        { const ulong i = tile + ${j * lanes} + lane; if (i < end) term${j} = ${self.term()}; }
        tile_sums[PADDED(${j * lanes} + lane)] = term${j};
    % endfor
        barrier(CLK_LOCAL_MEM_FENCE);
    % for j in range(each):
        const ${total} own${j} = tile_sums[PADDED(${each} * lane + ${j})];
    % endfor
        const ${total} earlier = before_tile;
        ${total} sum = earlier + sum_before(${" + ".join(f"own{j}" for j in range(each))}, &before_tile, of_lanes);
    % for j in range(each):
        tile_sums[PADDED(${each} * lane + ${j})] = sum;
        sum += own${j};
    % endfor
        barrier(CLK_LOCAL_MEM_FENCE);
    % for j in range(each):
        {
            const ulong i = tile + ${j * lanes} + lane;
            if (i < end) {
                const ${total} term = term${j}, before = tile_sums[PADDED(${j * lanes} + lane)];
                ${self.store()}
            }
        }
    % endfor
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
% endif
