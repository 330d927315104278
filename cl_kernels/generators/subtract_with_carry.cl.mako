<%
    type, number = f"{word}{w}", f"{value}{w}"
    words = [f"x{i}" for i in range(r)]
    fields = words + ["carry"] + ["position"] * counts
    mask = f"(({type})({(1 << bits) - 1}{u}))"
    whole = bits == word_bits
    turns, rest = divmod(discarded, r)
    type_of_mask = f"{'int' if word == 'uint' else 'long'}{w}"

    def one_if(condition):
        return f"({condition}) ? 1{u} : 0{u}" if width == 1 else f"as_{type}({condition}) & 1{u}"
%>
// x0 is the oldest of the last ${r} words.
<%include file="words_of_state.cl.mako" args="type=type, fields=fields"/>\

CLRNG_INLINE ${number} ${p}value(const ${p}state s)
{
% if split > 1:
    const ${type} shift = ${shift}${u} + (s.position - 1${u}) % ${split}${u} * ${part}${u};
    return ${convert(f"s.{words[-1]} >> shift & {(1 << part) - 1}{u}")};
% else:
    return ${convert(f"s.{words[-1]} >> {shift} & {(1 << part) - 1}{u}" if (shift, part) != (0, bits) else f"s.{words[-1]}")};
% endif
}

// The word a - b - *carry modulo 2^${bits}; *carry becomes 1 where the difference is below 0, else 0.
CLRNG_INLINE ${type} ${p}subtracted(const ${type} a, const ${type} b, ${type} *carry)
{
% if whole:
    const ${type} difference = a - b, last = *carry;
    *carry = ${one_if("(a < b) | (difference < last)")};
    return difference - last;
% else:
    const ${type} difference = a - b - *carry;
    *carry = difference >> ${word_bits - 1};
    return difference & ${mask};
% endif
}

// The state a word later; the position stays as it is.
CLRNG_INLINE ${p}state ${p}stepped(${p}state s)
{
    const ${type} x = ${p}subtracted(s.x${r - lag}, s.x0, &s.carry);
    return (${p}state){${listed([f"s.{field}" for field in words[1:]] + ["x", "s.carry"] + ["s.position"] * counts)}};
}
% if counts:

// Skips the ${discarded} discarded words where a block has ended, so that a new one begins. A called function does not
// change its arguments: with one driver they are the caller's own variables.
CLRNG_CALLED_BY_CPUS ${p}state ${p}block_begun(const ${p}state before)
{
    ${p}state s = before;
% if turns:
    for (int turn = 0; turn < ${turns}; turn++) {
% for i in range(r):
        s.x${i} = ${p}subtracted(s.x${(i + r - lag) % r}, s.x${i}, &s.carry);
% endfor
    }
% endif
% for i in range(rest):
    s.x${i} = ${p}subtracted(s.x${(i + r - lag) % r}, s.x${i}, &s.carry);
% endfor
    s = (${p}state){${listed([f"s.x{(i + rest) % r}" for i in range(r)] + ["s.carry", f"({type})(0)"])}};
% if width > 1:
    const ${type_of_mask} ends = before.position == ${values_of_block}${u};
    s = (${p}state){${listed(f"ends ? s.{field} : before.{field}" for field in fields)}};
% endif
    return s;
}
% endif

CLRNG_INLINE ${p}state ${p}next(${p}state s)
{
% if not counts:
    return ${p}stepped(s);
% elif width == 1:
    if (s.position == ${values_of_block}${u}) s = ${p}block_begun(s);
% if split > 1:
    if (s.position % ${split}${u} == 0) s = ${p}stepped(s);
% else:
    s = ${p}stepped(s);
% endif
% else:
    if (any(s.position == ${values_of_block}${u})) s = ${p}block_begun(s);
% if split > 1:
    const ${p}state later = ${p}stepped(s);
    const ${type_of_mask} steps = s.position % ${split}${u} == 0;
    s = (${p}state){${listed(f"steps ? later.{field} : s.{field}" for field in fields)}};
% else:
    s = ${p}stepped(s);
% endif
% endif
% if counts:
    s.position += 1${u};
    return s;
% endif
}
