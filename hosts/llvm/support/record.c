/*
 * record.c - see record.h
 */
#include "support/record.h"

#include <string.h>

#include "base/hash.h"

_Static_assert(COFL_RECORD_HASH_BYTES == COF_HASH_BYTES, "");
_Static_assert(sizeof(struct cofl_record) % 8 == 0, "");

void cofl_record_make(struct cofl_record *r, uint64_t kind, const void *bytes,
		      size_t n)
{
	*r = (struct cofl_record){ .kind = kind, .bytes = n };
	cof_hash(bytes, n, r->hash);
}

bool cofl_record_next(struct cofl_record *r, const char **bytes,
		      const char **at, size_t *n)
{
	while (*n > 0 && **at == '\0') {	/* between sections */
		++*at;
		--*n;
	}
	if (*n < sizeof(*r))
		return false;
	memcpy(r, *at, sizeof(*r));
	if ((r->kind != COFL_RECORD_BITCODE &&
	     r->kind != COFL_RECORD_LEFT_OUT) || r->bytes > *n - sizeof(*r))
		return false;
	*bytes = *at + sizeof(*r);
	*at += sizeof(*r) + r->bytes;
	*n -= sizeof(*r) + r->bytes;
	return true;
}

bool cofl_record_is_whole(const struct cofl_record *r, const char *bytes)
{
	uint8_t hash[COF_HASH_BYTES];

	cof_hash(bytes, r->bytes, hash);
	return memcmp(hash, r->hash, sizeof(hash)) == 0;
}
