/*
 * few_new.cpp - two operators are the program's, and libstdc++'s others lead to
 * them
 *
 * guest-hot:
 */
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "guest.h"

static constexpr unsigned live = 0x6c697665;

void *operator new(std::size_t n)
{
	char *p = static_cast<char *>(std::malloc(n + 16));

	std::memcpy(p, &live, sizeof(live));
	return p + 16;
}

void operator delete(void *p) noexcept
{
	char *b = static_cast<char *>(p) - 16;

	if (p == nullptr)
		return;
	if (std::memcmp(b, &live, sizeof(live)) != 0)
		_exit(3);
	std::memset(b, 0, sizeof(live));
	std::free(b);
}

static uint64_t round_()
{
	uint64_t h = MIX0;

	for (int i = 1; i < 100; i++) {
		int *array = new int[i], *one = new (std::nothrow) int(i);
		std::vector<std::string> v(3, std::string(100, 'v'));
		std::ostringstream out;

		out << v[2] << i;
		array[i - 1] = *one;
		h = mix(h, array[i - 1] + out.str().size());
		delete[] array;
		delete one;
		h = guest_work(h);
	}
	return h;
}

int main()
{
	guest_run("few_new", round_);
}
