/*
 * eh.cpp - exceptions through frames of code that gets replaced
 *
 * guest-hot:
 * guest-reclaims:
 */
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "guest.h"

static uint64_t unwound;

struct Guard {
	uint64_t v;
	explicit Guard(uint64_t x) : v(x) {}
	~Guard() { unwound = mix(unwound, v); }
};

struct Base {
	virtual ~Base() = default;
	virtual int kind() const { return 1; }
};
struct Derived : Base { int kind() const override { return 2; } };
struct Other { int v; };
struct Both : Derived, Other { int kind() const override { return 3; } };

NOINLINE static uint64_t thrower(unsigned what)
{
	switch (what % 9) {
	case 0: throw 17;
	case 1: throw std::runtime_error("runtime");
	case 2: throw Derived();
	case 3: throw Both();
	case 4: throw std::string("a string");
	case 5: throw static_cast<const char *>("literal");
	case 6: throw std::make_unique<int>(6);
	case 7: throw 2.5;
	}
	return what;
}

NOINLINE static uint64_t work(uint64_t x)
{
	for (unsigned i = 0; i < 200; i++)
		x = mix(x, i);
	return x;
}

NOINLINE static uint64_t deep(unsigned n, unsigned what)
{
	Guard g(work(n));

	if (n == 0)
		return thrower(what);
	return deep(n - 1, what) + g.v;
}

NOINLINE static uint64_t filters(unsigned n, unsigned what)
{
	try {
		return deep(n, what);
	} catch (int i) {
		return (uint64_t)i;
	} catch (const std::exception &e) {
		return e.what()[0];
	} catch (const Base &b) {
		return 100u + (unsigned)b.kind();
	}
}

NOINLINE static uint64_t outer(unsigned n, unsigned what)
{
	try {
		return filters(n, what);
	} catch (const std::string &s) {
		return s.size();
	} catch (std::unique_ptr<int> &p) {
		return 1000u + (unsigned)*p;
	} catch (...) {
		return 77;
	}
}

/* Rethrown, replaced by another one, nested and kept for later. */
NOINLINE static uint64_t rethrow(unsigned what)
{
	std::exception_ptr kept;
	uint64_t h = 0;

	try {
		try {
			Guard g(what);
			deep(3, what);
		} catch (const std::exception &) {
			throw;
		} catch (int i) {
			try {
				deep(2, what + 1);
			} catch (...) {
				h += 5;
			}
			throw i + 1;
		} catch (...) {
			kept = std::current_exception();
		}
		if (kept)
			std::rethrow_exception(kept);
	} catch (int i) {
		h += (uint64_t)i;
	} catch (const std::runtime_error &e) {
		h += e.what()[1];
	} catch (const Other &) {
		h += 900;
	} catch (...) {
		h += 3;
	}
	return h + (unsigned)std::uncaught_exceptions();
}

struct Member {
	Guard a, b;
	std::vector<int> v;

	explicit Member(unsigned n) try : a(n), b(n + 1), v(n % 5)
	{
		if (n % 2)
			thrower(n);
		v.at(n % 7) = 3;
	} catch (const std::out_of_range &) {
		throw std::logic_error("translated");
	}
};

NOINLINE static uint64_t constructors(unsigned n)
{
	try {
		Member m(n);
		return m.v.size();
	} catch (const std::logic_error &e) {
		return e.what()[0];
	} catch (...) {
		return 8;
	}
}

/* A destructor that runs while unwinding and itself catches one. */
struct Catches {
	~Catches()
	{
		try {
			thrower(4);
		} catch (const std::string &) {
			unwound = mix(unwound,
				      (unsigned)std::uncaught_exceptions());
		}
	}
};

NOINLINE static uint64_t during(unsigned what)
{
	try {
		Catches c;
		return deep(2, what);
	} catch (...) {
		return 4;
	}
}

static uint64_t round_()
{
	uint64_t h = MIX0;

	unwound = MIX0;
	for (unsigned i = 0; i < 90; i++) {
		h = mix(h, outer(i % 20, i));
		h = mix(h, rethrow(i));
		h = mix(h, constructors(i));
		h = mix(h, during(i));
	}
	return mix(h, unwound);
}

int main()
{
	guest_run("eh", round_);
	return 0;
}
