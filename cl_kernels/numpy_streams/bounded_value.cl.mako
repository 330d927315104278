## `part` is the type of a part of a word, `integer` the unsigned type of a value, `method` is "lemire" or "masked".
<%
    bits = {"uchar": 8, "ushort": 16, "uint": 32, "ulong": 64}[part]
    wide = "ulong" if bits == 32 else "uint"
    product = f"(({wide})(x) * (uint)range)" if bits < 64 else "((x) * range)"
%>
% if method == "lemire":
// Lemire's method: the upper half of the product of a part and the size of the range, unless the lower half is below
// `limit`.
#define TAKEN(x) ((${part})${product} >= (${part})limit)
#define VALUE(x) ((${integer})(${f"{product} >> {bits}" if bits < 64 else "mul_hi(x, range)"}) + (${integer})low)
% else:
// Masked rejection: a part's bits under the mask `range`, unless they are above `limit`.
#define TAKEN(x) (((x) & (${part})range) <= (${part})limit)
#define VALUE(x) ((${integer})((x) & (${part})range) + (${integer})low)
% endif
