/*
 * bitcode_triple.c - as much of LLVM's bitstreams as that takes; see
 * bitcode_triple.h and LLVM's "LLVM Bitcode File Format"
 */
#include "bitcode_triple.h"

#include <stdint.h>
#include <string.h>

#define MAGIC         0xdec04342u	/* "BC", 0xc0de */
#define MAGIC_WRAPPED 0x0b17c0deu
#define BLOCK_MODULE  8u
#define CODE_TRIPLE   2u
#define TOP_WIDTH     2u

/* What an entry of a stream begins with. */
enum { END_BLOCK, ENTER_BLOCK, DEFINE_ABBREVIATION, UNABBREVIATED };

struct bits {
	const uint8_t *byte;
	size_t         n, at;	/* in bits */
	bool           ended;	/* more was asked for than there is */
};

static uint32_t word_at(const uint8_t *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/* `width` is 32 at most. */
static uint32_t fixed(struct bits *b, unsigned width)
{
	uint32_t value = 0;

	if (b->n - b->at < width) {
		b->ended = true;
		b->at = b->n;
		return 0;
	}
	for (unsigned i = 0; i < width; i++, b->at++)
		value |= (uint32_t)(b->byte[b->at / 8] >> b->at % 8 & 1) << i;
	return value;
}

/* Pieces of `width` bits, whose highest one says that another follows. */
static uint32_t variable(struct bits *b, unsigned width)
{
	uint32_t more = UINT32_C(1) << (width - 1), piece, value = 0;
	unsigned shift = 0;

	do {
		piece = fixed(b, width);
		if (shift < 32)
			value |= (piece & (more - 1)) << shift;
		shift += width - 1;
	} while (piece & more);
	return value;
}

/* Behind its beginning: the block's kind, the width of what its entries begin
 * with, its length in words of 32 bits. */
static uint32_t enter(struct bits *b, unsigned *width, uint32_t *words)
{
	uint32_t kind = variable(b, 8);

	*width = variable(b, 4);
	b->at = (b->at + 31) & ~(size_t)31;
	if (b->at > b->n || *width < TOP_WIDTH || *width > 32) {
		b->ended = true;
		b->at = b->n;
	}
	*words = fixed(b, 32);
	return kind;
}

static void skip(struct bits *b, uint32_t words)
{
	uint64_t bits = (uint64_t)words * 32;

	b->ended |= bits > b->n - b->at;
	b->at = b->ended ? b->n : b->at + (size_t)bits;
}

static void skip_abbreviation(struct bits *b)
{
	for (uint32_t n = variable(b, 5); n > 0 && !b->ended; n--) {
		if (fixed(b, 1) != 0)		/* a literal */
			variable(b, 8);
		else if (fixed(b, 3) <= 2)	/* fixed, variable: a width */
			variable(b, 5);
	}
}

/* The record's code; the first of its values as characters. */
static uint32_t read_record(struct bits *b,
			    char text[BITCODE_TRIPLE_BYTES])
{
	uint32_t code = variable(b, 6), n = variable(b, 6), used = 0;

	for (uint32_t i = 0; i < n && !b->ended; i++) {
		uint32_t value = variable(b, 6);

		if (used < BITCODE_TRIPLE_BYTES - 1)
			text[used++] = (char)value;
	}
	text[used] = '\0';
	return code;
}

static bool read_module(struct bits *b, unsigned width,
			char triple[BITCODE_TRIPLE_BYTES])
{
	unsigned inner;
	uint32_t words;

	while (!b->ended) {
		switch (fixed(b, width)) {
		case ENTER_BLOCK:
			enter(b, &inner, &words);
			skip(b, words);
			break;
		case DEFINE_ABBREVIATION:
			skip_abbreviation(b);
			break;
		case UNABBREVIATED:
			if (read_record(b, triple) == CODE_TRIPLE)
				return !b->ended;
			break;
		default:		/* the end, or what comes later */
			return false;
		}
	}
	return false;
}

bool bitcode_triple_begins(const void *bytes, size_t n)
{
	return n >= 4 && (word_at(bytes) == MAGIC ||
			  word_at(bytes) == MAGIC_WRAPPED);
}

bool bitcode_triple_read(const void *bytes, size_t n,
			 char triple[BITCODE_TRIPLE_BYTES])
{
	struct bits b = { .byte = bytes };
	uint32_t words, offset;
	unsigned width;

	if (!bitcode_triple_begins(bytes, n))
		return false;
	if (word_at(b.byte) == MAGIC_WRAPPED) {
		if (n < 16)
			return false;
		offset = word_at(b.byte + 8);
		if (offset > n || n - offset < 4)
			return false;
		b.byte += offset;
		n -= offset;
	}
	b.n = 8 * n;
	b.at = 32;		/* the magic */
	while (!b.ended && fixed(&b, TOP_WIDTH) == ENTER_BLOCK) {
		if (enter(&b, &width, &words) == BLOCK_MODULE)
			return read_module(&b, width, triple);
		skip(&b, words);
	}
	return false;
}
