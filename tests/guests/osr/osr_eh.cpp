/*
 * osr_eh.cpp - exceptions in, through and out of loops that go on in newer code
 *
 * guest-osr:
 * guest-args: caught
 * guest-args: results
 * guest-args: objects
 * guest-args: out
 * guest-tried: caught
 * guest-tried: objects
 * guest-tried: out
 */
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
#include "guest.h"
}

static volatile uint64_t seed = 12345;
static int alive;

struct counted {
	uint64_t v;
	explicit counted(uint64_t x) : v(x) { alive++; }
	~counted() { alive--; }
};

NOINLINE static uint64_t may_throw(uint64_t x)
{
	if (x % 97 == 0)
		throw x;
	if (x % 101 == 0)
		throw std::runtime_error("no");
	return x * 3;
}

NOINLINE static uint64_t caught()
{
	uint64_t a = seed;

	ROUNDS_BEGIN(h)
		for (uint64_t i = 0; i < 600; i++) {
			counted c(i);
			try {
				h = mix(h, may_throw(a + i));
			} catch (uint64_t x) {
				h = mix(h, x + 1);
			} catch (const std::exception &e) {
				h = mix(h, (uint64_t)e.what()[0] + c.v);
			}
		}
	ROUNDS_END(h);
	return first_ + (uint64_t)alive;
}

/* What a call that may throw returned is alive across the loop. */
NOINLINE static uint64_t results()
{
	uint64_t x = 0;

	try {
		x = may_throw(seed + 1);
		counted c(x);
		uint64_t y = may_throw(x);
		ROUNDS_BEGIN(h)
			uint64_t z = may_throw(x + 5);
			for (uint64_t i = 0; i < 3000; i++) {
				z += may_throw(y + 1) ^ i;
				h = mix(h, z + c.v);
			}
		ROUNDS_END(h);
		x += first_;
	} catch (...) {
		return 1;
	}
	return x + (uint64_t)alive;
}

NOINLINE static uint64_t objects()
{
	std::map<uint64_t, std::string> m;
	std::vector<uint64_t> v;

	ROUNDS_BEGIN(h)
		m.clear();
		v.clear();
		for (uint64_t i = 0; i < 200; i++) {
			m[i * 7 % 50] += std::to_string(i);
			v.push_back(i * seed);
		}
		for (auto &p : m)
			for (char c : p.second)
				h = mix(h, p.first + (uint64_t)c);
		for (uint64_t x : v)
			h = mix(h, x);
	ROUNDS_END(h);
	return first_;
}

/* Leaves the loop and the frames below it by an exception. */
NOINLINE static void thrower()
{
	counted c(7);

	ROUNDS_BEGIN(h)
		for (uint64_t i = 0; i < 20000; i++)
			h = h * 31 + c.v + i;
	ROUNDS_END(h);
	throw first_;
}

NOINLINE static uint64_t out()
{
	counted c(1);

	try {
		counted d(2);
		thrower();
	} catch (uint64_t x) {
		return x + (uint64_t)alive;
	}
	return 0;
}

int main(int argc, char **argv)
{
	std::string name = argc > 1 ? argv[1] : "";
	uint64_t r = name == "caught"  ? caught() :
		     name == "results" ? results() :
		     name == "objects" ? objects() : out();

	printf("%s %016" PRIx64 " %d\n", name.c_str(), r, alive);
	return 0;
}
