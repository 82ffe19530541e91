/*
 * record.h - what section .cof.bc contains: bitcode with a checksum, or why
 * there is none
 *
 *	record | bytes | zeros | record | bytes | ...
 *
 * cof-cc's plug-in puts one record into each object, the linker concatenates
 * them, with zeros between, and cof-cc then joins them to one, which agrees
 * with what the linker decided (resolve/resolution.h). A record begins
 * at a multiple of 8. LLVM is only shown bytes whose hash is right, since it
 * crashes on damaged bitcode.
 *
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As COF_HASH_BYTES of base/hash.h, which is not C++. */
#define COFL_RECORD_HASH_BYTES 16u

/* Kinds of records: "cof.bc", an object's bitcode; "cof.jn", a program's,
 * joined; "cof.ad", where the program has what is named in that (addresses.h);
 * "cof.pt", where its loops can be left (native_points.h); "cof.no", whose
 * bytes are the option because of which cof-cc left the bitcode out; and
 * "cof.rf", whose bytes say what cannot be told of how the program was linked,
 * so that no host can stand in for it. Each has a carriage return and a
 * newline. */
#define COFL_RECORD_BITCODE  UINT64_C(0x0a0d63622e666f63)
#define COFL_RECORD_JOINED   UINT64_C(0x0a0d6e6a2e666f63)
#define COFL_RECORD_ADDRESSES UINT64_C(0x0a0d64612e666f63)
#define COFL_RECORD_POINTS   UINT64_C(0x0a0d74702e666f63)
#define COFL_RECORD_LEFT_OUT UINT64_C(0x0a0d6f6e2e666f63)
#define COFL_RECORD_REFUSED  UINT64_C(0x0a0d66722e666f63)

/* cof-cc's plug-in finds the option here, if there is one. */
#define COFL_RECORD_ENV "COF_CC_LEFT_OUT"

struct cofl_record {
	uint64_t kind;
	uint64_t bytes;			/* behind this header */
	uint8_t  hash[COFL_RECORD_HASH_BYTES];	/* of these bytes */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Fill the header in for these bytes. */
void cofl_record_make(struct cofl_record *r, uint64_t kind, const void *bytes,
		      size_t n);

/*
 * Go to the next record of a section. `*at` and `*n` are what is left of it;
 * they are moved behind the record. Its bytes are left at `*bytes`. False: the
 * section ends here, and *n is 0; or it is damaged, and *n is not. The hash is
 * not checked.
 */
bool cofl_record_next(struct cofl_record *r, const char **bytes,
		      const char **at, size_t *n);

/* Is the hash right? */
bool cofl_record_is_whole(const struct cofl_record *r, const char *bytes);

#define COFL_RECORD_DAMAGED "its bitcode is damaged"

/* Is this the bitcode with that hash? To be asked before LLVM reads it. False:
 * why. */
bool cofl_record_check(const void *bytes, size_t n,
		       const uint8_t hash[COFL_RECORD_HASH_BYTES], char *why,
		       size_t why_bytes);

#ifdef __cplusplus
}
#endif
