<%page args="type, fields"/>\
## A state that is a structure of its words, of this type, under these names.
typedef struct { ${type} ${listed(fields)}; } ${p}state;

CLRNG_INLINE ${p}state ${p}load(${listed(f"const {type} {field}" for field in fields)})
{
    return (${p}state){${listed(fields)}};
}
% for i, field in enumerate(fields):

CLRNG_INLINE ${type} ${p}word_${i}(const ${p}state s) { return s.${field}; }
% endfor
