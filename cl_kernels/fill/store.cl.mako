% if streaming:
#define CLRNG_STORE(vector, at) __builtin_nontemporal_store(vector, at)
% else:
#define CLRNG_STORE(vector, at) *(at) = (vector)
% endif
