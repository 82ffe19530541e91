/*
 * bitfields.c - packed, unaligned and bit-sized members, unions, endianness
 *
 * guest-hot:
 */
#include <stddef.h>
#include <string.h>

#include "guest.h"

struct __attribute__((packed)) wire {
	uint8_t  kind;
	uint32_t length;
	uint64_t stamp;
	double   value;
	int16_t  delta;
};

struct fields {
	unsigned a : 3, b : 7, c : 22;
	signed   d : 5;
	uint64_t e : 41;
	unsigned : 0;
	_Bool    f : 1;
	signed char g : 4;
};

union view {
	struct fields f;
	uint8_t       bytes[sizeof(struct fields)];
};

NOINLINE static void fill(struct wire *w, uint32_t i)
{
	w->kind = (uint8_t)i;
	w->length = i * 3;
	w->stamp = (uint64_t)i << 20 | 1;
	w->value = i / 7.;
	w->delta = (int16_t)(w->delta - (int)i);
}

NOINLINE static uint64_t set(union view *v, unsigned i)
{
	v->f.a += i;
	v->f.b ^= v->f.a * 5;
	v->f.c = i * 77;
	v->f.d--;
	v->f.e += (uint64_t)i << 18;
	v->f.f ^= i % 3 == 0;
	v->f.g = (signed char)(v->f.d + (int)i);
	return (uint64_t)v->f.d * 3 + (uint64_t)v->f.g + v->f.e;
}

static uint64_t round_(void)
{
	uint8_t buffer[sizeof(struct wire) * 5 + 1];
	union view v;
	uint64_t h = MIX0;

	memset(buffer, 0, sizeof(buffer));
	memset(&v, 0, sizeof(v));
	for (uint32_t i = 0; i < 3000; i++) {
		struct wire *w = (struct wire *)(buffer + 1 +
				 i % 5 * sizeof(*w));

		fill(w, i);
		h = mix(h, set(&v, i));
		h = (h ^ buffer[i % sizeof(buffer)]) * 0x100000001b3u;
		h ^= __builtin_bswap32(w->length) + v.bytes[i % 4];
	}
	return mix(h, sizeof(struct wire) + offsetof(struct wire, delta));
}

int main(void)
{
	guest_run("bitfields", round_);
	return 0;
}
