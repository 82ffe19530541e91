/*
 * stdlib.cpp - containers, strings, streams, regex, locale, random, chrono
 *
 * guest-hot:
 */
#include <algorithm>
#include <bitset>
#include <charconv>
#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "guest.h"

static uint64_t text(uint64_t h, std::string_view s)
{
	for (char c : s)
		h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
	return h;
}

static uint64_t maps()
{
	std::map<std::string, int> ordered;
	std::unordered_map<int, std::string> hashed;
	std::set<int, std::greater<>> set;
	uint64_t h = MIX0;

	for (int i = 0; i < 400; i++) {
		ordered["k" + std::to_string(i * 7919 % 1000)] += i;
		hashed[i * 31 % 257] += static_cast<char>('a' + i % 26);
		set.insert(i * 17 % 101);
	}
	for (auto &[k, v] : ordered)
		h = text(mix(h, static_cast<unsigned>(v)), k);
	for (int i = 0; i < 257; i++)
		h = text(h, hashed[i]);
	return mix(h, static_cast<unsigned>(*set.begin()));
}

static uint64_t algorithms()
{
	std::mt19937_64 random(42);
	std::vector<uint64_t> v(800);
	std::list<uint64_t> l;
	uint64_t h = MIX0;

	std::generate(v.begin(), v.end(), std::ref(random));
	l.assign(v.begin(), v.begin() + 200);
	l.sort();
	std::sort(v.begin(), v.end(), [](uint64_t a, uint64_t b) {
		return (a ^ 0x5555) < (b ^ 0x5555);
	});
	std::partition(v.begin(), v.end(), [](uint64_t x) { return x & 1; });
	std::nth_element(v.begin(), v.begin() + 300, v.end());
	h = mix(h, v[300] + l.front());
	h = mix(h, std::accumulate(v.begin(), v.end(), uint64_t{ 0 }));
	std::make_heap(v.begin(), v.end());
	for (int i = 0; i < 50; i++) {
		std::pop_heap(v.begin(), v.end() - i);
		h = mix(h, v[v.size() - 1 - static_cast<unsigned>(i)]);
	}
	auto by_three = [](auto y) { return y % 3 == 0; };
	for (auto x : v | std::views::filter(by_three) |
	     std::views::transform([](auto y) { return y / 3; }) |
	     std::views::take(40))
		h = mix(h, x);
	std::bitset<200> b(v[0]);
	return mix(h, (b << 3 ^ b).count());
}

static uint64_t streams()
{
	std::ostringstream out;
	uint64_t h = MIX0;

	for (int i = 0; i < 60; i++)
		out << std::setw(6) << i << std::hex << i * 255 << std::dec
		    << ' ' << std::setprecision(4) << i / 7. << std::boolalpha
		    << (i % 2 == 0) << '\n';
	std::istringstream in(out.str());
	for (std::string line; std::getline(in, line);)
		h = text(h, line);
	std::istringstream words("12 3.5 word 0x1f");
	int a;
	double b;
	std::string c;
	words >> a >> b >> c;
	h = text(mix(h, static_cast<unsigned>(a) + bits(b)), c);
	char buf[64];
	auto r = std::to_chars(buf, buf + sizeof(buf), 0.1 + a);
	return text(h, std::string_view(buf, r.ptr));
}

static uint64_t regexes()
{
	static const std::regex word("([a-z]+)([0-9]+)");
	std::string s = "abc123 def45 nothing xyz9 q0";
	uint64_t h = MIX0;

	for (std::sregex_iterator i(s.begin(), s.end(), word), e; i != e; ++i)
		h = text(text(h, (*i)[1].str()), (*i)[2].str());
	return text(h, std::regex_replace(s, word, "$2-$1"));
}

struct Visitor {
	uint64_t operator()(int i) const { return static_cast<unsigned>(i); }
	uint64_t operator()(const std::string &s) const { return s.size(); }
	uint64_t operator()(double d) const { return bits(d); }
};

static uint64_t values()
{
	std::vector<std::variant<int, std::string, double>> v;
	std::function<uint64_t(uint64_t)> f = [](uint64_t x) { return x + 1; };
	std::pmr::monotonic_buffer_resource pool;
	std::pmr::vector<std::pmr::string> strings(&pool);
	std::optional<uint64_t> maybe;
	uint64_t h = MIX0;

	for (int i = 0; i < 100; i++) {
		switch (i % 3) {
		case 0: v.emplace_back(i); break;
		case 1: v.emplace_back(std::string(i, 'x')); break;
		case 2: v.emplace_back(i * .5); break;
		}
		if (i % 10 == 0)
			f = [f, i](uint64_t x) {
				return f(x) * 3 + (unsigned)i;
			};
		strings.emplace_back(
			"a string that is longer than the small one");
	}
	for (auto &x : v)
		h = mix(h, std::visit(Visitor(), x));
	for (auto &s : strings)
		h = text(h, s);
	if (h & 1)
		maybe = h;
	return f(maybe.value_or(7));
}

struct Comma : std::numpunct<char> {
	char do_thousands_sep() const override { return '\''; }
	std::string do_grouping() const override { return "\3"; }
};

int main()
{
	std::ios::sync_with_stdio(true);
	guest_run("maps", maps);
	guest_run("algorithms", algorithms);
	guest_run("streams", streams);
	guest_run("regexes", regexes);
	guest_run("values", values);
	std::cout.imbue(std::locale(std::cout.getloc(), new Comma));
	std::cout << 1234567890 << ' ' << std::put_money(12345) << std::endl;
	std::cerr << "cerr " << std::hex << 255 << std::endl;
	std::wcout << L"wide" << std::endl;
	using namespace std::chrono;
	std::cout << duration_cast<milliseconds>(hours(3)).count() << '\n';
	return std::cout.good() ? 0 : 1;
}
