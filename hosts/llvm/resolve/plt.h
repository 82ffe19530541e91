/*
 * plt.h - which function of a library an entry of the PLT leads to
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The function's name in .dynsym; NULL: there is no entry at that address.
 * Borrowed from the bytes. */
const char *cofl_plt_name(const char *bytes, size_t n_bytes, uint64_t address);
