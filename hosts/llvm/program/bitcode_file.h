/*
 * bitcode_file.h - a program's bitcode: a file of its own, or in an executable
 *
 * cof-cc puts an object's bitcode into its section .cof.bc. The linker
 * concatenates these sections, and cof-cc then joins the bitcode in them to
 * one, by what the linker decided (resolve/resolution.h). If the bitcode is not
 * joined, it is joined here, each time the file is opened.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "resolve/resolution.h"
#include "support/record.h"

struct cofl_bitcode_file {
	const char *bytes;	/* the whole file */
	size_t      n_bytes;
	const char *bitcode;
	size_t      n_bitcode;
	uint8_t     hash[COF_HASH_BYTES];	/* of the bitcode */
	bool        is_elf;
	uintptr_t   fixed;	/* an address at which it is linked to run
				 * (-no-pie); 0: it runs anywhere */
	bool        has_checksum;	/* the hash is what cof-cc stored; the
					 * bitcode may be damaged */
	bool        is_executable;	/* with a section of bitcode, so that it
					 * can run as it was compiled */
	struct cofl_record no_bitcode;	/* of a reason, which is at */
	const char *reason;		/* in the file; NULL: there is none */
	void       *joined;	/* malloc(3); NULL: .bitcode is in the file */
	struct cofl_join_addresses *addresses;	/* to be made; NULL: not */
};

/* Open the file, and keep it until the process ends. False: `why` has the
 * reason, and ->is_executable is set. */
bool cofl_bitcode_file_open(struct cofl_bitcode_file *file, const char *path,
			    char *why, size_t why_bytes);

/* The same for an executable that was just linked. If its bitcode is joined
 * here, the addresses are made as well. */
bool cofl_bitcode_file_link(struct cofl_bitcode_file *file, const char *path,
			    struct cofl_join_addresses *addresses, char *why,
			    size_t why_bytes);
