/*
 * newdelete.cpp - the program's own operator new and delete serve everybody
 *
 * guest-hot:
 */
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "guest.h"

static uint64_t news, deletes, bytes;

NOINLINE void *operator new(std::size_t n)
{
	void *p = n > (1u << 30) ? nullptr : std::malloc(n);

	if (!p)
		throw std::bad_alloc();
	news++;
	bytes += n;
	return p;
}

NOINLINE void operator delete(void *p) noexcept
{
	deletes += p != nullptr;
	std::free(p);
}

void operator delete(void *p, std::size_t) noexcept { operator delete(p); }

struct Node {
	std::unique_ptr<Node> left, right;
	uint64_t key;

	explicit Node(uint64_t k) : key(k) {}
	NOINLINE void insert(uint64_t k)
	{
		auto &side = k < key ? left : right;

		if (side)
			side->insert(k);
		else
			side = std::make_unique<Node>(k);
	}
	NOINLINE uint64_t walk(uint64_t h) const
	{
		if (left)
			h = left->walk(h);
		h = mix(h, key);
		return right ? right->walk(h) : h;
	}
};

static uint64_t round_()
{
	uint64_t h, before = news - deletes;

	{
		Node root(500);
		std::vector<std::shared_ptr<std::string>> v;

		for (uint64_t i = 0; i < 300; i++) {
			root.insert(i * 7919 % 1009);
			v.push_back(std::make_shared<std::string>(i % 50, 'c'));
		}
		std::reverse(v.begin(), v.end());
		h = root.walk(MIX0);
		for (auto &s : v)
			h = mix(h, s->size());
	}
	return h + (news - deletes - before);
}

int main()
{
	guest_run("newdelete", round_);
	try {
		std::vector<char> v(std::size_t{ 1 } << 40);
		printf("got it: %p\n", static_cast<void *>(v.data()));
	} catch (const std::bad_alloc &e) {
		puts(e.what());
	}
	printf("%s\n", news > 1000 && bytes > 10000 ? "ours" : "not ours");
	return 0;
}
