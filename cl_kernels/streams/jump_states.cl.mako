<%
    parts = chunk // width
    trim = str.strip
    vector = word if width == 1 else f"{word}{width}"
    store = "*({1}) = {0}" if width == 1 else "vstore%d({0}, 0, {1})" % width
%>
// Each row of memory has a state of ${order} words and the words of the stream that follow it, ${2 * padded} in all. So
// it has the states 0 to ${padded} steps on too, of which a jump is a weighted sum.

// Makes the words `begin` to `end` - 1 of every row, from those before them; a work-group has a row. Where `raw` is set, the
// states are words, and are first replaced by their logarithms.
__kernel void continue_states(__global ${word} *restrict rows, const uint raw, const uint begin, const uint end)
{
    __global ${word} *row = rows + get_group_id(0) * (size_t)${2 * padded};
    const uint lane = get_local_id(0), lanes = get_local_size(0);
    if (raw) {
        for (uint i = begin + lane; i < CLRNG_MIN(end, ${order}u); i += lanes) row[i] = ${s}logarithm(row[i]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (uint at = begin < ${order}u ? ${order}u : begin; at < end; at += ${min(lags)}) {
        const uint some = CLRNG_MIN(${min(lags)}u, end - at);
        for (uint i = lane; i < some; i += lanes)
            row[at + i] = ${s}total(${s}after(${s}one(row[at + i - ${lags[0]}]), ${s}one(row[at + i - ${lags[1]}])));
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

<%
    half = padded // 2

    def weight(part, i):
        return ", ".join(f"weights[{weight_words} * ({part * half} + i + {i}) + {j}]" for j in range(weight_words))
%>
// Makes `wanted` targets from `count` sources. Target d * count + r is source r itself for d = 0, else source r moved
// on by the jump whose weights are row d - 1 of `weights`. A work-item makes ${chunk} words of a target and the
// ${chunk} words that are ${half} places after them. Where `last` is set, no jump starts from the targets, which
// become words again, not logarithms; a row of them has `target_words` words.
//
// Word k of a target is the sum of w_i x_{k+i}. Let u and v be the halves of the weights w, and a, b and c three
// consecutive stretches of ${half} words x. The sums are a*u + b*v for the first half of the words and b*u + c*v for
// the second, that is (a + b)*u - b*(u - v) and (b + c)*v + b*(u - v): three products in place of four. A row of
// weights has u, v and u - v.
__kernel void jump_states(__global const ${word} *restrict sources, const uint count,
                          __global ${word} *restrict targets, const uint wanted, const uint target_words,
                          __global const ${word} *restrict weights, const uint last)
{
    const uint item = get_global_id(0), target = item / ${half // chunk}u, first = (item - target * ${half // chunk}u) * ${chunk}u;
    if (target >= wanted) return;
    const uint d = target / count;
    __global const ${word} *x = sources + (target - d * count) * (size_t)${2 * padded} + first;
    targets += target * (size_t)target_words + first;
    if (d == 0) {
        for (uint i = 0; i < ${chunk}; i++) {
            targets[i] = last ? ${s}antilogarithm(x[i]) : x[i];
            targets[${half} + i] = last ? ${s}antilogarithm(x[${half} + i]) : x[${half} + i];
        }
        return;
    }
    weights += (d - 1) * (size_t)${3 * half * weight_words};
% for j in range(parts):
    ${v}sum left${j} = ${v}nothing(), right${j} = ${v}nothing(), both${j} = ${v}nothing();
% endfor
% if width == 1:
<%def name="loaded(i, names)">
% for j in range(0, chunk, per_store):
        const ${word}${per_store} a_${j} = *(__global const ${word}${per_store} *)(x + ${i} + ${j});
        const ${word}${per_store} b_${j} = *(__global const ${word}${per_store} *)(x + ${i} + ${half + j});
        const ${word}${per_store} c_${j} = *(__global const ${word}${per_store} *)(x + ${i} + ${2 * half + j});
% endfor
% for j in range(chunk):
<% a, b, c = (f"{name}_{j - j % per_store}.s{j % per_store}" for name in "abc") %>
% if op == "*":
        ${names[0]}ab${j + names[1]} = ${a} + ${b};
        ${names[0]}bc${j + names[1]} = ${b} + ${c};
% for name, x in (("a", a), ("b", b), ("c", c)):
        ${name}_signs |= convert_uint(${x} >> ${word_bits - 1}) << ${j + names[1]};
% endfor
% else:
        ${names[0]}ab${j + names[1]} = ${s}total(${s}plus(${s}one(${a}), ${s}one(${b})));
        ${names[0]}bc${j + names[1]} = ${s}total(${s}plus(${s}one(${b}), ${s}one(${c})));
% endif
        ${names[0]}b${j + names[1]} = ${b};
% endfor
</%def>
    ${word} ${", ".join(f"ab{j}, b{j}, bc{j}" for j in range(chunk))};
% if op == "*":
    // The signs of several words are bits of one number, and those of the sums too. The products below disregard the sign
    // bits that the words themselves have.
    uint a_signs = 0, b_signs = 0, c_signs = 0, left_signs = 0, right_signs = 0, both_signs = 0;
% endif
    {
        ${loaded("0", ("", 0)) | trim}
    }
    for (uint i = 0; i < ${half}; i += ${chunk}) {
        ${loaded("i + %d" % chunk, ("const %s " % word, chunk)) | trim}
% if op == "*":
        const uint ab_signs = a_signs ^ b_signs, bc_signs = b_signs ^ c_signs;
% endif
% for i in range(chunk):
% for part, (sums, words) in enumerate((("left", "ab"), ("right", "bc"), ("both", "b"))):
% for j in range(chunk):
% if op == "*":
        ${sums}${j}.e += ${words}${i + j} * ${weight(part, i)};
% else:
        ${sums}${j} = ${v}plus(${sums}${j}, ${v}scaled(${words}${i + j}, ${weight(part, i)}));
% endif
% endfor
% if op == "*":
        ${sums}_signs ^= (${words}_signs >> ${i}) & (uint)(as_${word[1:]}(${weight(part, i)}) >> ${word_bits - 1});
% endif
% endfor
% endfor
% for j in range(chunk):
        ab${j} = ab${chunk + j}; b${j} = b${chunk + j}; bc${j} = bc${chunk + j};
% endfor
% if op == "*":
        a_signs >>= ${chunk}; b_signs >>= ${chunk}; c_signs >>= ${chunk};
% endif
    }
% if op == "*":
% for sums in ("left", "right", "both"):
% for j in range(chunk):
    ${sums}${j}.s = (${word})(${sums}_signs >> ${j}) << ${word_bits - 1};
% endfor
% endfor
% endif
% else:
    for (uint i = 0; i < ${half}; i += 4) {
% for i in range(4):
% for j in range(parts):
        {
<% a, b, c = (f"{v}one(vload{width}(0, x + i + {k * half + i + j * width}))" for k in range(3)) %>
            const ${v}sum b = ${b};
            left${j} = ${v}plus(left${j}, ${v}scaled(${v}total(${v}plus(${a}, b)), ${weight(0, i)}));
            right${j} = ${v}plus(right${j}, ${v}scaled(${v}total(${v}plus(b, ${c})), ${weight(1, i)}));
            both${j} = ${v}plus(both${j}, ${v}scaled(${v}total(b), ${weight(2, i)}));
        }
% endfor
% endfor
    }
% endif
% for j in range(parts):
    {
        const ${vector} z = ${v}total(${v}minus(left${j}, both${j})), y = ${v}total(${v}plus(right${j}, both${j}));
        ${store.format(f"last ? {v}antilogarithm(z) : z", f"targets + {j * width}")};
        ${store.format(f"last ? {v}antilogarithm(y) : y", f"targets + {half + j * width}")};
    }
% endfor
}

<%include file="states_in_columns.cl.mako"/>
