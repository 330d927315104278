<%
    cycle = ring_words // step
    fence = "CLK_LOCAL_MEM_FENCE" if space == "__local" else "CLK_GLOBAL_MEM_FENCE"
    rounds, value_rounds = range(0, step, group_size), range(0, step // steps, group_size)
    in_values = "" if steps == 1 else f" / {steps}u"
    trim = str.strip
    in_runs = dimensions is not None
    axes = range(dimensions or 0)
    names = [f"{name}_{d}" for d in axes for name in ("count", "pitch", "inverse", "shift", "stride")]
    of_runs = ["const uint length", "const long spacing", *(f"const {'long' if 'stride' in x else 'uint'} {x}" for x in names)]
%>
<%def name="store(i, y)">\
% if in_runs:
                const long to = offset_in_run(mine + ${i}, ${", ".join(["length", "spacing", *names])});
                if (to != IN_GAP) out[to] = ${y};
% else:
                mine[${i}] = ${y};
% endif
</%def>
<%def name="values(at, left)">
<%
    def condition(r):
        tests = [f"lane + {r}u < {step // steps}u"] * (r + group_size > step // steps)
        tests += [f"lane + {r}u < {left}{in_values}"] * bool(left)
        return f"if ({' && '.join(tests)}) " if tests else ""

    def raw(i):
        words = [f"x{i}"] if steps == 1 else [f"words{i}.s{d}" if steps == 2 else f"ring[{at} + (lane + {value_rounds[i]}u) * {steps}u + {d}u]" for d in range(steps)]
        return [f"{s}output_bits({x})" for x in words]
%>
% if steps == 2:
% for i, r in enumerate(value_rounds):
            ${word}2 words${i} = (${word}2)(0, 0);
            ${condition(r)}words${i} = *(${space} const ${word}2 *)(ring + ${at} + (lane + ${r}u) * 2u);
% endfor
% endif
% if outputs.has_hot:
            bool is_cold = false;
% for i, r in enumerate(value_rounds):
            ${out} y${i} = 0;
            ${condition(r)}y${i} = ${outputs.convert(s, *raw(i), hot=True)};
% endfor
            if (is_cold) {
% for i, r in enumerate(value_rounds):
                ${condition(r)}y${i} = ${outputs.convert(s, *raw(i))};
% endfor
            }
% endif
% for i, r in enumerate(value_rounds):
            ${condition(r)}{
${store(f"{at}{in_values} + {r}u", f"y{i}" if outputs.has_hot else outputs.convert(s, *raw(i)))}\
            }
% endfor
</%def>
<%def name="make(at, taken, again, left)">
<%
    def condition(r):
        tests = [f"lane + {r}u < {step}u"] * (r + group_size > step) + [f"lane + {r}u < {left}"] * bool(left)
        return f"if ({' && '.join(tests)}) " if tests else ""
%>
        {
            ${word} ${", ".join(f"x{i} = 0" for i in range(len(rounds)))};
% for i, r in enumerate(rounds):
            ${condition(r)}{
                x${i} = ${s}combine(${", ".join(f"ring[{begin} + lane + {r}u]" for begin in taken)});
                ring[${at} + lane + ${r}u] = x${i};
% if again and r < mirrored:
                if (${again}lane + ${r}u < ${mirrored}u) ring[${ring_words}u + lane + ${r}u] = x${i};
% endif
            }
% endfor
            barrier(${fence});
${values(at, left)}\
        }
</%def>
% if in_runs:
#define IN_GAP LONG_MIN

// Returns how far in memory the value at a place is from the first value of the first run, or IN_GAP if it is in no run.
// Quotients by pitches are products with their inverses, as places are less than 2^31.
CLRNG_INLINE long offset_in_run(uint place, ${", ".join(of_runs)})
{
    long to = 0;
% for d in axes:
    const uint i_${d} = mul_hi(place, inverse_${d}) >> shift_${d};
    place -= i_${d} * pitch_${d};
    to += i_${d} * stride_${d};
% endfor
    const bool is_in_run = ${" && ".join(["place < length", *(f"i_{d} < count_{d}" for d in axes[1:])])};
    return is_in_run ? to + place${" * spacing" if spaced else ""} : IN_GAP;
}

// One exact stream, of which runs of values are stored: the value at place i of the stream, 0 <= i < n, goes to
// out[offset + offset_in_run(i, ...)] or nowhere. The axes of runs come with the outermost first; in the stream,
// all runs along an axis lie before the next run of an axis further out.
//
// The places are cut into blocks of `each`; a work-group makes one block. Block b begins at place b*each.
% else:
// One exact stream, cut into blocks of `each` words; a work-group makes one block. Word i of the stream, 0 <= i < n, is
% if steps == 1:
// of block i / each, and becomes value out[offset + i].
% else:
// of block i / each. ${steps} words are the steps of a value; those from word ${steps} * i on become out[offset + i]. All counts of
// words are multiples of ${steps}.
% endif
% endif
// It follows from the state in row first_row + b of `states`; a row has `state_words` words. A launch makes at most
// `most` words of each block, from word `done` of the block on, and writes the state after them back to the row.
//
// The last words are in a ring of ${ring_words} words. A step makes ${step} words, none of which depends on another of
// the step, so that the work-items make them together. The first ${mirrored} words are repeated behind the end of the
// ring, so that the words that a step reads are always contiguous. Values are stored after the barrier of their step, while
// the next step waits for the words it reads.
% if steps > 1:
// Their words are in the ring then, until the step after the next barrier.
% endif
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void fill_rings(__global ${word} *restrict states, const uint first_row, const uint state_words,
                         __global ${out} *restrict out, const ulong offset, const uint n, const uint each,
                         const uint done, const uint most, __global ${word} *restrict rings${
                         "".join(f", {each}" for each in of_runs) if in_runs else ""}${parameters})
{
${outputs.opening}\
% if space == "__local":
    __local ${word} ring[${ring_words + mirrored}]${" __attribute__((aligned(16)))" if steps > 1 else ""};
% else:
    __global ${word} *ring = rings + get_group_id(0) * (size_t)${ring_words + mirrored + (ring_words + mirrored) % 2};
% endif
    const uint lane = get_local_id(0);
    const ulong first = (ulong)get_group_id(0) * each;
    if (first >= n) return;
    const uint count = CLRNG_MIN(each, n - convert_uint(first));
    if (done >= count) return;
    uint left = CLRNG_MIN(most, count - done);
    states += (first_row + get_group_id(0)) * (size_t)state_words;
% if in_runs:
    uint mine = convert_uint(first) + done + lane;    // a place
    out += offset;
% else:
    __global ${out} *mine = out + offset + (first + done)${in_values} + lane;
% endif
    for (uint i = lane; i < ${order}u; i += ${group_size}u) ring[${ring_words - order} + i] = states[i];
    barrier(${fence});
% if cycle <= 24:

    for (; left >= ${ring_words}u; left -= ${ring_words}u, mine += ${ring_words // steps}) {
% for at in range(0, ring_words, step):
            ${make("%du" % at, ["%du" % ((at - lag) % ring_words) for lag in lags], "" if at else " ", "") | trim}
% endfor
    }
% endif

    uint at = 0;
    for (uint ${", ".join(f"from{j} = {ring_words - lag}" for j, lag in enumerate(lags))}; left != 0;) {
        ${make("at", [f"from{j}" for j in range(len(lags))], "at == 0 && ", "left") | trim}
        const uint some = CLRNG_MIN(${step}u, left);
        left -= some;
        at += some;
% if cycle > 24:
        mine += at == ${ring_words}u ? ${ring_words // steps} : 0;
        at = at == ${ring_words}u ? 0 : at;
% endif
% for j in range(len(lags)):
        from${j} = from${j} + ${step}u >= ${ring_words}u ? from${j} - ${ring_words - step}u : from${j} + ${step}u;
% endfor
    }
    for (uint i = lane; i < ${order}u; i += ${group_size}u) {
        const uint k = at + ${ring_words - order} + i;
        states[i] = ring[CLRNG_MIN(k, k - ${ring_words}u)];
    }
}
