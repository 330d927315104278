<%
    raws = counts * sets * lanes * of_each    # the raw values of a tile
    tile = raws // steps
    vector = f"{out}{group}"
    stores = tile // group
    # Where work-items exchange stores, those of item i are turned about so that neighbours are in different banks.
    turned = lambda item, store: f"({item}) * {stores} + (({store}) ^ ((({item}) >> {4 - stores.bit_length()}) & {stores - 1}))"
    starts = [f"start_{i}" for i in range(order)]
    whole = f"{s}whole_" if halved else s
    times = "" if steps == 1 else f"{steps} * "

    def scalars(i):
        """Return the raw values of the steps of value i."""
        return [f"raw[{i * steps + d}]" for d in range(steps)]

    def vectors(i):
        """Return vectors of the raw values of the steps of values i to i + gathered - 1."""
        element = lambda j: f"r{j // gathered}.s{j % gathered:x}"
        if steps == 1:
            return [f"r{i // gathered}"]
        return [f"({value}{gathered})({', '.join(element((i + l) * steps + d) for l in range(gathered))})" for d in range(steps)]

    # Where rows are paired, each has two neighbouring values of a counter in one element, as a whole value has its halves.
    made = "ulong" if paired else value
    rows_each = of_each // (2 if paired else 1)

    def zipped(rows, lines):
        """Return the names of vectors of consecutive raw values from those of one value of each counter, whose lines it adds."""
        if len(rows) == 1:
            return rows
        found = []
        for even, odd in zip(zipped(rows[::2], lines), zipped(rows[1::2], lines)):
            for part in ("low", "high"):
                found.append(f"z{len(lines)}")
                lines.append(f"const {made}{lanes} {found[-1]} = {of_lanes}zip_{part}_0({even}, {odd});")
        return found

    def parts(name, length, size):
        """Return vectors of so many values that a vector of more, or as many, is made of."""
        if length == size:
            return [name]
        return [part for half in ("lo", "hi") for part in parts(f"{name}.{half}", length // 2, size)]

    def gathered_of(names):
        """Return expressions of vectors of `gathered` consecutive raw values."""
        if paired:
            names = [f"as_{value}{lanes}({half})" for name in names for half in parts(name, lanes, lanes // 2)]
        if gathered > lanes:
            ratio = gathered // lanes
            return [f"({value}{gathered})({', '.join(names[i : i + ratio])})" for i in range(0, len(names), ratio)]
        return [part for name in names for part in parts(name, lanes, gathered)]
%>
<%include file="store.cl.mako"/>
% if lanes > 1:
% for part, half, begin in (("low", "lo", 0), ("high", "hi", lanes // 2)):
CLRNG_INLINE ${made}${lanes} ${of_lanes}zip_${part}_0(const ${made}${lanes} a, const ${made}${lanes} b)
{
#ifdef __clang__
    return __builtin_shufflevector(a, b, ${", ".join(f"{begin + i}, {begin + i + lanes}" for i in range(lanes // 2))});
#else
    ${made}${lanes} zipped;
    zipped.even = a.${half};
    zipped.odd = b.${half};
    return zipped;
#endif
}

% endfor
% endif
<%def name="stored()">\
% if outputs.has_hot:
            bool is_cold = false;
% endif
% for i in range(tile):
            ${out} y${i} = ${outputs.convert(s, *scalars(i), hot=outputs.has_hot)};
% endfor
% if outputs.has_hot:
            if (is_cold) {
% for i in range(tile):
                y${i} = ${outputs.convert(s, *scalars(i))};
% endfor
            }
% endif
% for i in range(stores):
<% stored = joined(out, [f"y{i * group + j}" for j in range(group)]) %>\
            ${f"exchange[{turned('local_item', i)}] = ({stored})" if exchanging else f"CLRNG_STORE(({stored}), at + {i})"};
% endfor
% if exchanging:
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = local_item; i < ${exchanging * stores}u; i += ${exchanging}u)
                if (at + i < end) CLRNG_STORE(exchange[${turned(f"i / {stores}", f"i % {stores}")}], at + i);
            barrier(CLK_LOCAL_MEM_FENCE);
% endif
</%def>\
// One exact stream of a generator that counts: out[offset + i] becomes value i of those that follow the state `start`, for
// 0 <= i < n. A value takes ${steps} step(s).
//
// The range is cut into tiles of ${tile} values, those of ${counts * sets * lanes} counter(s). The first tile begins at the first aligned
// vector; the values before it and those after the last whole tile are made one at a time. Work-item k makes tile
// k * first_tile and then every tile_stride-th tile after it, at most tiles_each in all. Where tiles do not begin with the
// first value of a counter, the values of one counter more are at hand, and those that are not wanted are left out.
% if exchanging:
// The work-items of a group exchange the stores of their tiles, so that neighbours store to neighbouring places.
__attribute__((reqd_work_group_size(${exchanging}, 1, 1)))
% endif
__kernel void fill_counters(__global ${out} *restrict out, const ulong offset, const uint n,
                            ${", ".join(f"const {word} {start}" for start in starts)},
                            const uint first_tile, const uint tile_stride, const uint tiles_each${parameters})
{
${outputs.opening}    const uint item = get_global_id(0);
    out += offset;
    const uint before = convert_uint(-(size_t)out / sizeof(${out})) & ${group - 1}u;
% if halved:
    const uint waiting = (uint)(${starts[-1]} >> 32);
    const uint head = CLRNG_MIN(before < waiting ? ${group}u : before, n);
% else:
    const uint head = CLRNG_MIN(before, n);
% endif
    const uint tiles = (n - head) / ${tile}u;
    const uint edges = n - tiles * ${tile}u;

    for (uint edge = item; edge < edges; edge += get_global_size(0)) {
        const uint i = edge < head ? edge : edge + tiles * ${tile}u;
        out[i] = ${outputs.of_first(s, f"{s}jump({s}load({', '.join(starts)}), {times}(ulong)i + 1)")};
    }

    const uint tile = item * first_tile;
% if exchanging:
    __local ${vector} exchange[${exchanging * stores}];
    const uint local_item = get_local_id(0), tile_of_first = tile - local_item;
    if (tile_of_first >= tiles) return;
    __global ${vector} *const end = (__global ${vector} *)(out + head) + (size_t)tiles * ${stores};
% else:
    const uint tile_of_first = tile;
    if (tile >= tiles) return;
% endif
    const uint left = (tiles - tile_of_first - 1) / tile_stride + 1;
    const ulong first = ${f"2 * (uint)start_{counter} + 2 + ((ulong)(head - waiting)" if halved else f"(uint)start_{counter} + 1 + {times}((ulong)head"} + (ulong)tile * ${tile}u);
    const uint skipped = first % ${of_each};    // values of the first counter that are not wanted, alike in all tiles
    const ${word} key[] = {${", ".join(starts[counter + 1 : counter + 1 + key])}};
    ${word} counter[] = {${", ".join(starts[:counter])}};
    ${whole}count(counter, first / ${of_each});
    __global ${vector} *at = (__global ${vector} *)(out + head) + (size_t)tile_of_first * ${stores};
    const size_t at_step = (size_t)tile_stride * ${stores};
    uint t = CLRNG_MIN(left, tiles_each);
% if gathered:
    ${value} raw[${pad + raws}] __attribute__((aligned(64)));    // of a tile from number ${pad} on, behind the values of the counter before it
    const uint begin = skipped == 0 ? ${pad}u : ${pad - of_each}u + skipped;
    if (skipped != 0) {
% if halved:
        ulong before_it[${of_each // 2}];
        ${whole}values_of(counter, key, before_it);
        for (int i = 0; i < ${of_each}; i++) raw[${pad - of_each} + i] = (uint)(before_it[i / 2] >> i % 2 * 32);
% else:
        ${s}values_of(counter, key, raw + ${pad - of_each});
% endif
        ${whole}count(counter, 1);
    }

    for (; t > 0; t--, at += at_step) {
        ${value}${gathered} ${", ".join(f"r{i}" for i in range(raws // gathered))};
% for b in range(counts):
% if lanes == 1:
        ${s}values_of(counter, key, raw + ${pad + b * of_each});
        ${s}count(counter, 1);
% else:
        {
            const ${word}${lanes} base = counter[0];
            ${word}${lanes} c[] = {${", ".join(f"base + ({word}{lanes})({', '.join(str(e * lanes + i) for i in range(lanes))})" + "".join(f", counter[{i}]" for i in range(1, counter)) for e in range(sets))}};
% if counter > 1:
            if (counter[0] > (${word})-${sets * lanes}) {
% for e in range(sets):
                ${f"{word}{lanes} carry" if e == 0 else "carry"} = as_${word}${lanes}(c[${e * counter}] < base);
% for i in range(e * counter + 1, (e + 1) * counter):
                c[${i}] -= carry;
% if i < (e + 1) * counter - 1:
                carry &= as_${word}${lanes}(c[${i}] == 0);
% endif
% endfor
% endfor
            }
% endif
            ${made}${lanes} x[${sets * rows_each}];
            ${of_lanes}values_of(c, key, x);
            ${whole}count(counter, ${sets * lanes});
<%
    lines = []
    rows = [[f"x[{e * rows_each + i}]" for i in range(rows_each)] for e in range(sets)]
    names = gathered_of([name for of_set in rows for name in zipped(of_set, lines)])
%>\
% for line in lines:
            ${line}
% endfor
% for i, name in enumerate(names):
            r${b * len(names) + i} = ${name};
% endfor
        }
% endif
% endfor
% if lanes > 1:
        if (skipped != 0) {
% for i in range(raws // gathered):
            *(${value}${gathered} *)(raw + ${pad + i * gathered}) = r${i};
% endfor
% endif
% for i in range(raws // gathered):
        ${"    " * (lanes > 1)}r${i} = vload${gathered}(${i}, raw + begin);
% endfor
        ${"    " * (lanes > 1)}for (int i = ${pad - of_each}; i < ${pad}; i++) raw[i] = raw[${raws} + i];
% if lanes > 1:
        }
% endif
% for i in range(0, tile, group):
        CLRNG_STORE(((${vector})(${", ".join(outputs.convert(of_gathered, *vectors(j)) for j in range(i, i + group, gathered))})), at + ${i // group});
% endfor
    }
% else:
    if (skipped == 0) {
        for (; t > 0; t--, at += at_step) {
            ${value} raw[${raws}];
% for b in range(counts):
            ${s}values_of(counter, key, raw + ${b * of_each});
            ${s}count(counter, ${f"tile_stride * (ulong){counts}u - {counts - 1}u" if b == counts - 1 else 1});
% endfor
${stored()}        }
% if of_each > 1:
    } else {
        for (; t > 0; t--, at += at_step) {
            ${value} raw[${raws + of_each}];
% for b in range(counts + 1):
            ${s}values_of(counter, key, raw + ${b * of_each});
            ${s}count(counter, ${f"(tile_stride - 1) * (ulong){counts}u" if b == counts else 1});
% endfor
% for bit in (1 << b for b in range(of_each.bit_length() - 2, -1, -1)):
            if ((skipped & ${bit}u) != 0) {
% for i in range(raws + bit - 1):
                raw[${i}] = raw[${i + bit}];
% endfor
            }
% endfor
${stored()}        }
% endif
    }
% endif
}
