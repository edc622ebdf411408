"""Everything that depends on Numba: compilation, its cache, types and threads."""
