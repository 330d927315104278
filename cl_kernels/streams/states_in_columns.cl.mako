// Copies states from rows to columns: word j of row i, for i < some, to columns[j*count + begin + i]. A work-item
// copies ${stretch} words of a row.
__kernel void states_in_columns(__global const ${word} *restrict rows, const uint row_words, const uint some,
                                __global ${word} *restrict columns, const uint count, const uint begin)
{
    const size_t part = get_global_id(0) / some, i = get_global_id(0) - part * some;
    if (part >= ${-(-order // stretch)}) return;
    const uint first = part * ${stretch}u, end = CLRNG_MIN(first + ${stretch}u, ${order}u);
    for (uint j = first; j < end; j++) columns[j * (size_t)count + begin + i] = rows[i * row_words + j];
}
