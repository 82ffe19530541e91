/* other.cpp - the other C++ file */
#include "linked.h"

Iface::~Iface() = default;

struct Theirs : Iface {
	uint64_t value(uint64_t x) override { return twice(x) + twice(3u); }
};

int *counter() { return &counter_here; }
Iface *make() { return new Theirs; }
NOINLINE uint64_t call(Iface &i, uint64_t x) { return i.value(x) + twice(x); }
NOINLINE void throws(uint64_t x)
{
	if (x % 2)
		throw Error{ x };
}
