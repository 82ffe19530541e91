/*
 * hash.h - a hash of content: SipHash-2-4 with 128 bits of result
 *
 * libcof knows a program or a file by this hash. Equal content has an equal
 * hash on any machine and in any version of libcof. Different content never has
 * an equal hash by accident, but may have one by malice: the key is constant
 * and known, so a user who writes both files can make them collide. So an equal
 * hash says "the same" only among files of one owner.
 *
 *	J.-P. Aumasson, D. J. Bernstein: SipHash: a fast short-input PRF.
 *	INDOCRYPT 2012; the 128-bit variant as in the authors' later note
 *
 * All inline: hosts link against libcof's public functions only. Any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define COF_HASH_BYTES 16u

struct cof_hash {
	uint64_t v[4];
	uint8_t  rest[8];	/* bytes that do not fill a word yet */
	uint64_t bytes;		/* added so far */
};

static inline uint64_t cof_hash_rotl(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static inline void cof_hash_rounds(uint64_t v[4], unsigned n)
{
	while (n-- > 0) {
		v[0] += v[1];
		v[1] = cof_hash_rotl(v[1], 13) ^ v[0];
		v[0] = cof_hash_rotl(v[0], 32);
		v[2] += v[3];
		v[3] = cof_hash_rotl(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = cof_hash_rotl(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = cof_hash_rotl(v[1], 17) ^ v[2];
		v[2] = cof_hash_rotl(v[2], 32);
	}
}

static inline uint64_t cof_hash_load(const uint8_t p[8])
{
	/* Compilers turn this form into one load. */
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
	       (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

static inline void cof_hash_store(uint8_t p[8], uint64_t w)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(w >> 8 * i);
}

static inline void cof_hash_word(uint64_t v[4], uint64_t w)
{
	v[3] ^= w;
	cof_hash_rounds(v, 2);
	v[0] ^= w;
}

/* All whole words of the data; v is in registers meanwhile. */
static inline void cof_hash_words(struct cof_hash *h, const uint8_t *p,
				  size_t bytes)
{
	uint64_t v[4] = { h->v[0], h->v[1], h->v[2], h->v[3] };

	for (; bytes >= 8; p += 8, bytes -= 8)
		cof_hash_word(v, cof_hash_load(p));
	memcpy(h->v, v, sizeof(v));
}

/* Begin, with a key of the caller's; cof_hash_init() has libcof's. */
static inline void cof_hash_init_key(struct cof_hash *h, uint64_t k0,
				     uint64_t k1)
{
	h->v[0] = k0 ^ UINT64_C(0x736f6d6570736575);
	h->v[1] = k1 ^ UINT64_C(0x646f72616e646f6d) ^ 0xee;
	h->v[2] = k0 ^ UINT64_C(0x6c7967656e657261);
	h->v[3] = k1 ^ UINT64_C(0x7465646279746573);
	h->bytes = 0;
}

static inline void cof_hash_init(struct cof_hash *h)
{
	cof_hash_init_key(h, UINT64_C(0x746e6f6320666f63),	/* "cof cont" */
			  UINT64_C(0x3120687361682074));	/* "t hash 1" */
}

/*
 * Add a piece. Pieces follow each other without a mark: if their lengths vary,
 * add the lengths too.
 */
static inline void cof_hash_add(struct cof_hash *h, const void *data,
				size_t bytes)
{
	const uint8_t *p = data;
	size_t have = h->bytes % 8;

	h->bytes += bytes;
	if (have > 0) {
		size_t n = bytes < 8 - have ? bytes : 8 - have;

		if (n > 0)
			memcpy(h->rest + have, p, n);
		if (have + n < 8)
			return;
		cof_hash_word(h->v, cof_hash_load(h->rest));
		p += n;
		bytes -= n;
	}
	cof_hash_words(h, p, bytes);
	if (bytes % 8 > 0)
		memcpy(h->rest, p + bytes / 8 * 8, bytes % 8);
}

static inline void cof_hash_end(struct cof_hash *h,
				uint8_t out[COF_HASH_BYTES])
{
	uint64_t last = h->bytes << 56;

	for (size_t i = 0; i < h->bytes % 8; i++)
		last |= (uint64_t)h->rest[i] << 8 * i;
	cof_hash_word(h->v, last);
	h->v[2] ^= 0xee;
	cof_hash_rounds(h->v, 4);
	cof_hash_store(out, h->v[0] ^ h->v[1] ^ h->v[2] ^ h->v[3]);
	h->v[1] ^= 0xdd;
	cof_hash_rounds(h->v, 4);
	cof_hash_store(out + 8, h->v[0] ^ h->v[1] ^ h->v[2] ^ h->v[3]);
}

/* The hash of one piece. */
static inline void cof_hash(const void *data, size_t bytes,
			    uint8_t out[COF_HASH_BYTES])
{
	struct cof_hash h;

	cof_hash_init(&h);
	cof_hash_add(&h, data, bytes);
	cof_hash_end(&h, out);
}
