/*
 * own_new.cpp - operators new and delete are the program's, in libstdc++ too
 *
 * guest-hot:
 */
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <locale>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "guest.h"

namespace {

constexpr unsigned live = 0x6c697665;
constexpr std::size_t header = 64;

unsigned long n_new, n_aligned, in_libstdcxx;

void *take(std::size_t n)
{
	char *p = static_cast<char *>(std::malloc(n + header));

	if (p == nullptr)
		throw std::bad_alloc();
	std::memcpy(p, &live, sizeof(live));
	__atomic_fetch_add(&n_new, 1, __ATOMIC_RELAXED);
	return p + header;
}

void give(void *p)
{
	char *b = static_cast<char *>(p) - header;

	if (p == nullptr)
		return;
	if (std::memcmp(b, &live, sizeof(live)) != 0) {
		static const char why[] = "not by the program's new\n";

		if (write(2, why, sizeof(why) - 1) > 0)
			_exit(3);
	}
	std::memset(b, 0, sizeof(live));
	std::free(b);
}

} // namespace

void *operator new(std::size_t n) { return take(n); }
void *operator new[](std::size_t n) { return take(n); }
void operator delete(void *p) noexcept { give(p); }
void operator delete[](void *p) noexcept { give(p); }
void operator delete(void *p, std::size_t) noexcept { give(p); }
void operator delete[](void *p, std::size_t) noexcept { give(p); }

struct alignas(64) Wide {
	char c[64];
};

void *operator new(std::size_t n, std::align_val_t)
{
	n_aligned++;
	return std::aligned_alloc(64, (n + 63) & ~std::size_t(63));
}

void operator delete(void *p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void *p, std::size_t, std::align_val_t) noexcept
{
	std::free(p);
}

static uint64_t texts(uint64_t h)
{
	unsigned long before = n_new;
	std::ostringstream out;
	std::string s(1000, 'x'), line;

	out << s << 42 << ' ' << 1.5 << std::string(100, 'y');
	in_libstdcxx += n_new - before > 2;
	s = out.str();
	h = mix(h, s.size());
	s.append(5000, 'z');
	s.insert(10, std::string(300, 'i'));
	h = mix(h, s.size());
	std::istringstream in(s + "\n" + s);
	while (std::getline(in, line))
		h = mix(h, line.size());
	std::ifstream file("/proc/self/status");
	h = mix(h, std::getline(file, line).good());
	std::locale loc(std::locale::classic(), new std::numpunct<char>());
	out.imbue(loc);
	return h;
}

static uint64_t round_()
{
	uint64_t h = texts(MIX0);
	std::map<std::string, std::vector<int>> map;
	std::string said(200, '.');

	for (int i = 0; i < 50; i++) {
		map["a key longer than what is in the string itself " +
		    std::to_string(i % 10)].push_back(i);
		h = guest_work(h);
	}
	std::thread thread(
		[&] { said = "said by a thread" + std::string(100, '!'); });
	thread.join();
	std::unique_ptr<Wide> wide(new Wide());
	std::function<std::size_t()> f = [s = said] { return s.size(); };
	try {
		throw std::runtime_error(std::string(300, 'e'));
	} catch (const std::exception &e) {
		h = mix(h, std::strlen(e.what()));
	}
	try {
		std::string().at(1);
	} catch (const std::out_of_range &e) {
		h = mix(h, std::strlen(e.what()) > 0);
	}
	return mix(h, map.size() + f());
}

int main()
{
	guest_run("own_new", round_);
	printf("%d %d %d\n", n_new > 100, n_aligned > 0, in_libstdcxx > 0);
}
