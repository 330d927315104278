<%
    group = width if width > 1 else 4
    vector = f"uint{group}"
    stores = width * consecutive * interleaved // group
%>
<%include file="/fill/store.cl.mako"/>
// Stores in the order of the fill kernel and does nothing else, to find the highest rate at which a device can write.
__kernel void wall(__global ${vector} *restrict out, const uint tiles, const uint first_tile, const uint tile_stride,
                   const uint tiles_each)
{
    uint tile = get_global_id(0) * first_tile;
    if (tile >= tiles) return;
    const uint left = (tiles - tile - 1) / tile_stride + 1;
    const ${vector} value = (${vector})(tile);
    out += (size_t)tile * ${stores};
    const size_t out_step = (size_t)tile_stride * ${stores};
    for (uint t = CLRNG_MIN(left, tiles_each); t > 0; t--, out += out_step) {
% for i in range(stores):
        CLRNG_STORE(value, out + ${i});
% endfor
    }
}

// An empty launch.
__kernel void nothing(void) {}
