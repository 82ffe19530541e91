/*
 * formulas.cpp - virtual calls without an order, exceptions, two threads
 *
 *	formulas UNITS
 *
 * A formula is a tree of nodes of seven classes, drawn by chance. Each thread
 * evaluates half of them for all values of x in turn. A division by zero throws
 * and is caught a few calls above. Hardly a call is predictable: what is gained
 * is what the calls themselves cost. A unit takes a fifth of a second or more,
 * and prints a line.
 */
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr unsigned formulas = 64, depth = 6, values = 5000;

struct by_zero { uint32_t x; };

struct node {
	virtual ~node() = default;
	virtual uint32_t at(uint32_t x) const = 0;
};
using tree = std::unique_ptr<node>;

struct constant : node {
	uint32_t value;
	explicit constant(uint32_t v) : value(v) {}
	uint32_t at(uint32_t) const override { return value; }
};

struct argument : node {
	uint32_t at(uint32_t x) const override { return x; }
};

struct binary : node {
	tree left, right;
	binary(tree l, tree r) : left(std::move(l)), right(std::move(r)) {}
};

struct sum : binary {
	using binary::binary;
	uint32_t at(uint32_t x) const override
	{
		return left->at(x) + right->at(x);
	}
};

struct product : binary {
	using binary::binary;
	uint32_t at(uint32_t x) const override
	{
		return left->at(x) * right->at(x);
	}
};

struct difference : binary {
	using binary::binary;
	uint32_t at(uint32_t x) const override
	{
		return left->at(x) ^ right->at(x) >> 3;
	}
};

struct quotient : binary {
	using binary::binary;
	uint32_t at(uint32_t x) const override
	{
		uint32_t by = right->at(x) & 0x3fff;

		if (by == 0)
			throw by_zero{x};
		return left->at(x) / by;
	}
};

struct guarded : node {
	tree inner;
	explicit guarded(tree t) : inner(std::move(t)) {}
	uint32_t at(uint32_t x) const override
	{
		try {
			return inner->at(x);
		} catch (const by_zero &e) {
			return e.x + 1;
		}
	}
};

uint32_t state = 2463534242u;

uint32_t draw(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

tree formula(unsigned left)
{
	if (left == 0)
		return draw(3) == 0 ? tree(new constant(draw(1000))) :
				      tree(new argument);
	tree l = formula(left - 1), r = formula(left - 1);

	switch (draw(8)) {
	case 0: case 1:
		return tree(new sum(std::move(l), std::move(r)));
	case 2: case 3:
		return tree(new product(std::move(l), std::move(r)));
	case 4: case 5:
		return tree(new difference(std::move(l), std::move(r)));
	case 6:
		return tree(new guarded(
			tree(new quotient(std::move(l), std::move(r)))));
	default:
		return tree(new sum(tree(new guarded(std::move(l))),
				    std::move(r)));
	}
}

void evaluate(const std::vector<tree> &all, unsigned from, uint32_t unit,
	      uint32_t *result)
{
	uint32_t sum = 0;

	for (uint32_t x = 0; x < values; x++)
		for (size_t i = from; i < all.size(); i += 2)
			sum = sum * 31 + all[i]->at(x * 77 + unit);
	*result = sum;
}

}

int main(int argc, char **argv)
{
	unsigned long units = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1;
	std::vector<tree> all;

	for (unsigned i = 0; i < formulas; i++)
		all.push_back(tree(new guarded(formula(depth))));
	for (unsigned long u = 0; u < units; u++) {
		uint32_t result[2];
		std::thread other(evaluate, std::cref(all), 1, u, &result[1]);

		evaluate(all, 0, u, &result[0]);
		other.join();
		printf("%" PRIu32 " %" PRIu32 "\n", result[0], result[1]);
		fflush(stdout);
	}
	return 0;
}
