/*
 * ehframe.h - find the functions that an .eh_frame describes
 *
 * Its records are CIEs, each followed by the FDEs that refer to it (LSB core
 * specification, 10.6.1). Of a CIE only the encoding of addresses is used.
 *
 * Pure. Every read is checked against the section's end.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* One FDE: it describes [start, end). `fde` is its address. */
struct cof_fde {
	uint64_t start, end, fde;
};

/*
 * Call `each` for every FDE, until it returns nonzero. pc-relative addresses
 * are relative to where the section lies now. Returns the number of FDEs, or
 * -COF_E_INVAL: malformed, or an encoding that no JIT uses (indirect, 64-bit
 * lengths).
 */
long cof_ehframe_read(const void *eh_frame, size_t bytes,
		      int (*each)(void *arg, const struct cof_fde *fde),
		      void *arg);
