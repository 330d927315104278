<%
    block = min(width, 16 // out_bytes)
    lines = []
    for square in range(0, chunk, width):
        lanes = [0]
        for r in range(width.bit_length() - 1):
            further = block >> r + 1 if 2**r < block else 2**r
            for j in range(square, square + width, 2 << r):
                for lane in lanes:
                    given = f"y{r}_{j}_{lane}, y{r}_{j + 2**r}_{lane}"
                    for name, to in (("low", lane), ("high", lane + further)):
                        lines.append(f"const {out}{w} y{r + 1}_{j}_{to} = {v}zip_{name}_{r}({given});")
            lanes += [lane + further for lane in lanes]
%>
        // y<r>_<j>_<l> has, after r rounds, 2^r steps from step j on, of lane l and others.
% for line in lines:
        ${line}
% endfor
