/*
 * identity.c - read the program's file once
 */
#include "method/identity.h"

#include <stdio.h>

#include "base/hash.h"

void cofm_identity(struct cofm *host, const char *path)
{
	FILE *file = fopen(path, "rbe");
	struct cof_hash hash;
	char bytes[16384];
	size_t n;

	if (!file)
		return;
	cof_hash_init(&hash);
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		cof_hash_add(&hash, bytes, n);
	if (!ferror(file)) {
		cof_hash_end(&hash, host->identity);
		host->identity_bytes = COF_HASH_BYTES;
	}
	fclose(file);
}
