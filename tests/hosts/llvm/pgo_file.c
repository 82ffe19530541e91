/*
 * pgo_file.c - see pgo_file.h
 */
#include "pgo_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/profile_restore.h"
#include "support/fatal.h"

void pgo_file_save(struct cofl *host, FILE *to)
{
	for (uint32_t i = 0; i < host->n_methods; i++) {
		size_t n = cofl_profile_restore_save(&host->method[i], NULL, 0);
		uint64_t head[2] = { i, n };
		void *bytes;

		if (n == 0)
			continue;
		bytes = malloc(n);
		if (bytes == NULL)
			cofl_fatal("out of memory");
		cofl_profile_restore_save(&host->method[i], bytes, n);
		fwrite(head, sizeof(head), 1, to);
		fwrite(bytes, n, 1, to);
		free(bytes);
	}
}

void pgo_file_load(struct cofl *host, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint64_t head[2];

	if (f == NULL)
		cofl_fatal("%s: %s", path, strerror(errno));
	while (fread(head, sizeof(head), 1, f) == 1) {
		void *bytes = malloc(head[1]);

		if (bytes == NULL || fread(bytes, head[1], 1, f) != 1 ||
		    head[0] >= host->n_methods)
			cofl_fatal("%s: damaged", path);
		if (cofl_profile_restore_load(&host->method[head[0]],
					      host->copy, bytes, head[1]) != 0)
			cofl_fatal("%s: profile of %s is refused", path,
				   host->method[head[0]].name);
		free(bytes);
	}
	fclose(f);
}
