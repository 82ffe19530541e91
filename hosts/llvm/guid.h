/*
 * guid.h - the number LLVM knows a function by in profiles
 */
#ifndef COFL_GUID_H
#define COFL_GUID_H

#include <stdint.h>

/* The first 8 bytes of the MD5 sum of a name, little-endian. Pure. */
uint64_t cofl_guid(const char *name);

#endif /* COFL_GUID_H */
