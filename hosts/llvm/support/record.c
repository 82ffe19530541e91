/*
 * record.c - see record.h
 */
#include "support/record.h"

#include <stdio.h>
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
	     r->kind != COFL_RECORD_JOINED &&
	     r->kind != COFL_RECORD_ADDRESSES &&
	     r->kind != COFL_RECORD_POINTS &&
	     r->kind != COFL_RECORD_LEFT_OUT &&
	     r->kind != COFL_RECORD_REFUSED) || r->bytes > *n - sizeof(*r))
		return false;
	*bytes = *at + sizeof(*r);
	*at += sizeof(*r) + r->bytes;
	*n -= sizeof(*r) + r->bytes;
	return true;
}

static bool hash_is(const void *bytes, size_t n,
		    const uint8_t hash[COFL_RECORD_HASH_BYTES])
{
	uint8_t now[COF_HASH_BYTES];

	cof_hash(bytes, n, now);
	return memcmp(now, hash, sizeof(now)) == 0;
}

bool cofl_record_is_whole(const struct cofl_record *r, const char *bytes)
{
	return hash_is(bytes, r->bytes, r->hash);
}

bool cofl_record_check(const void *bytes, size_t n,
		       const uint8_t hash[COFL_RECORD_HASH_BYTES], char *why,
		       size_t why_bytes)
{
	if (hash_is(bytes, n, hash))
		return true;
	snprintf(why, why_bytes, COFL_RECORD_DAMAGED);
	return false;
}
