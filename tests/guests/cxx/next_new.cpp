/*
 * next_new.cpp - the program's operators new and delete are built on
 * libstdc++'s
 *
 * guest-hot:
 */
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "guest.h"

static std::atomic<unsigned long> taken, given;

void *operator new(std::size_t n)
{
	static auto next = reinterpret_cast<void *(*)(std::size_t)>(
		dlsym(RTLD_NEXT, "_Znwm"));

	taken++;
	return next(n);
}

void operator delete(void *p) noexcept
{
	static auto next = reinterpret_cast<void (*)(void *)>(
		dlsym(RTLD_NEXT, "_ZdlPv"));

	given++;
	next(p);
}

void operator delete(void *p, std::size_t) noexcept { operator delete(p); }

static uint64_t round_()
{
	std::vector<std::string> all;
	std::ostringstream out;
	uint64_t h = MIX0;

	for (int i = 0; i < 100; i++) {
		all.push_back(
			std::string(static_cast<std::size_t>(i) * 7, 'x'));
		out << all.back();
		h = guest_work(h);
	}
	return mix(h, out.str().size());
}

int main()
{
	guest_run("next_new", round_);
	printf("%d %d\n", taken > 100, given > 100);
}
