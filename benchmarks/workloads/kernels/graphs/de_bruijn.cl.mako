// The words of some letters that are at each place of a text of the letters 0 to 3, as numbers of 2 bits a letter.
__kernel void words_at(__global const uchar *restrict letters, const uint words, const uint length,
                       __global ulong *restrict codes)
{
    const uint i = get_global_id(0);
    if (i >= words) return;
    ulong code = 0;
    for (uint j = i; j < i + length; j++) code = code << 2 | letters[j];
    codes[i] = code;
}

// The text that a path spells: the word of its first vertex, and the last letter of each further vertex.
__kernel void spell(__global const uint *restrict path, const uint edges, __global const uint *restrict starts,
                    __global const uint *restrict ends, __global const ulong *restrict words, const uint length,
                    __global uchar *restrict letters)
{
    const uint i = get_global_id(0);
    if (i >= edges) return;
    if (i == 0) {
        const ulong first = words[starts[path[0]]];
        for (uint j = 0; j < length; j++) letters[j] = first >> 2 * (length - 1 - j) & 3;
    }
    letters[length + i] = words[ends[path[i]]] & 3;
}
