"""All that is Numba's: compilation, the cache of machine code, types and threads."""
