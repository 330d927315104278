<%
    begin = [*(f"{each}u" for each in sigma), *(f"key[{i}]" for i in range(8)), "counter[0]", "counter[1]", "key[8]", "key[9]"]
    columns = [(i, 4 + i, 8 + i, 12 + i) for i in range(4)]
    diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    turns = rounds // 4
%>
<%def name="some(count)">\
% for r in range(count):
% for step in range(4):
% for a, b, c, d in (columns, diagonals)[r % 2]:
<% to, other, turned, by = [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)][step] %>\
        x${to} += x${other}; x${turned} = rotate(x${turned} ^ x${to}, (uint${w})${by});
% endfor
% endfor
% endfor
</%def>\
// ChaCha with ${rounds} rounds: the values of a counter under a key of eight words and a nonce of two. Four rounds are a turn:
// compilers take long for many copies of all of them, and more turns would make long loops.
CLRNG_INLINE void ${p}values_of(const uint${w} *counter, const uint *key, uint${w} *values)
{
    uint${w} ${", ".join(f"x{i} = {each}" for i, each in enumerate(begin))};
    for (int turn = 0; turn < ${turns}; turn++) {
${some(4)}    }
% if rounds % 4:
    {
${some(rounds % 4)}    }
% endif
% for i, each in enumerate(begin):
    values[${i}] = x${i} + ${each};
% endfor
}
