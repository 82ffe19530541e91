/*
 * main.c - cof-join: make a program's pieces of bitcode one
 *
 *	cof-join PROGRAM OUT
 *
 * cof-cc calls this once the linker has made PROGRAM. OUT becomes what is to be
 * in the program's section .cof.bc. Exit status 0: the program can be built
 * anew from it; 3: it cannot, and the only record says why; 1: nothing was
 * written, and one line on stderr says why.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "join/join.h"
#include "join/linked.h"
#include "support/fatal.h"
#include "support/native_points.h"
#include "support/record.h"

enum { STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_REFUSED = 3 };

/* Behind what the file has, if it has something. */
static bool write_record(FILE *to, uint64_t kind, const void *bytes, size_t n)
{
	struct cofl_record record;

	cofl_record_make(&record, kind, bytes, n);
	return fwrite(&record, sizeof(record), 1, to) == 1 &&
	       fwrite(bytes, 1, n, to) == n &&
	       fwrite("\0\0\0\0\0\0\0", 1, -n % 8, to) == -n % 8;
}

static bool write_points(FILE *to, const struct cofl_linked_file *file)
{
	size_t n;
	struct cofl_native_point *list =
		cofl_native_points_collect(file->bytes, file->n_bytes, &n);
	bool done = n == 0 || write_record(to, COFL_RECORD_POINTS, list,
					   n * sizeof(*list));

	free(list);
	return done;
}

static bool write_joined(FILE *to, const struct cofl_linked_file *file,
			 const struct cofl_joined *joined)
{
	return write_record(to, COFL_RECORD_JOINED, joined->bitcode,
			    joined->n_bitcode) &&
	       write_record(to, COFL_RECORD_ADDRESSES, joined->addresses,
			    joined->n_addresses) &&
	       write_points(to, file);
}

/* Exit status. */
static int join(const char *program, FILE *to)
{
	char why[400] = "";
	struct cofl_linked_file file;
	struct cofl_resolution resolution;
	struct cofl_joined joined;

	if (!cofl_linked_file_open(&file, program, why, sizeof(why)))
		cofl_fatal("%s", why);
	if (file.left_out != NULL)
		return write_record(to, COFL_RECORD_LEFT_OUT, file.left_out,
				    file.n_left_out) ? STATUS_REFUSED : -1;
	if (cofl_resolution_open(&resolution, file.bytes, file.n_bytes,
				 file.records, file.n_records, why,
				 sizeof(why)) &&
	    cofl_join(&joined, &resolution, why, sizeof(why)))
		return write_joined(to, &file, &joined) ? 0 : -1;
	return write_record(to, COFL_RECORD_REFUSED, why, strlen(why)) ?
	       STATUS_REFUSED : -1;
}

int main(int argc, char **argv)
{
	FILE *to;
	int status;

	if (argc != 3) {
		fputs("usage: cof-join PROGRAM OUT\n", stderr);
		return STATUS_USAGE;
	}
	cofl_fatal_init(argv[1]);
	to = fopen(argv[2], "wb");
	if (to == NULL)
		cofl_fatal("%s: %s", argv[2], strerror(errno));
	status = join(argv[1], to);
	if (fclose(to) != 0 || status < 0)
		cofl_fatal("%s: %s", argv[2], strerror(errno));
	return status;
}
