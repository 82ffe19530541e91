/*
 * virtuals.cpp - virtual calls, casts and type names over several hierarchies
 *
 * guest-hot:
 */
#include <cstring>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include "guest.h"

struct Shape {
	virtual ~Shape() = default;
	virtual uint64_t area() const = 0;
	virtual const Shape *self() const { return this; }
	virtual int sides() const { return 0; }
};

struct Square : Shape {
	uint64_t a;
	explicit Square(uint64_t x) : a(x) {}
	uint64_t area() const override { return a * a; }
	const Square *self() const override { return this; }
	int sides() const override { return 4; }
};

struct Named {
	virtual ~Named() = default;
	virtual const char *name() const { return "named"; }
	uint64_t id = 5;
};

/* Covariant return with an adjustment: Shape is not at offset 0. */
struct Labelled : Named, Square {
	explicit Labelled(uint64_t x) : Square(x) {}
	const Labelled *self() const override { return this; }
	const char *name() const override { return "labelled"; }
	uint64_t area() const override { return a * 3 + id; }
};

struct Root {
	virtual ~Root() = default;
	uint64_t r = 1;
	virtual int v() { return 1; }
};
struct Left : virtual Root { uint64_t l = 2; int v() override { return 2; } };
struct Right : virtual Root { uint64_t k = 3; };
struct Diamond final : Left, Right {
	uint64_t d = 4;
	int v() override { return static_cast<int>(r + l + k + d); }
};

NOINLINE static uint64_t total(const std::vector<std::unique_ptr<Shape>> &all)
{
	uint64_t h = MIX0;

	for (auto &s : all)
		h = mix(h, s->area() + static_cast<unsigned>(s->sides()));
	return h;
}

NOINLINE static uint64_t casts(const std::vector<std::unique_ptr<Shape>> &all)
{
	uint64_t h = MIX0;

	for (auto &s : all) {
		auto *n = dynamic_cast<const Named *>(s.get());
		auto *q = dynamic_cast<const Square *>(s.get());

		h = mix(h, (n ? strlen(n->name()) : 0) + (q ? q->a : 99));
		const Shape &shape = *s;
		h += typeid(shape) == typeid(Labelled);
		h += static_cast<const void *>(s->self()) ==
		     dynamic_cast<const void *>(s.get());
	}
	return h;
}

NOINLINE static uint64_t diamonds(Root *r)
{
	auto *left = dynamic_cast<Left *>(r);
	auto *right = dynamic_cast<Right *>(r);
	uint64_t h = static_cast<unsigned>(r->v());

	if (left)
		h += left->l * 10;
	if (right)
		h += right->k * 100;
	return h;
}

NOINLINE static uint64_t bad_cast(Root &r)
{
	try {
		return dynamic_cast<Diamond &>(r).d;
	} catch (const std::bad_cast &) {
		return 321;
	}
}

using Method = uint64_t (Shape::*)() const;
using Data = uint64_t Named::*;

static uint64_t round_()
{
	std::vector<std::unique_ptr<Shape>> all;
	std::unordered_map<std::type_index, uint64_t> seen;
	Method area = &Shape::area;
	Data id = &Named::id;
	Diamond diamond;
	Left left;
	uint64_t h = MIX0;

	for (unsigned i = 0; i < 300; i++) {
		if (i % 3)
			all.push_back(std::make_unique<Square>(i));
		else
			all.push_back(std::make_unique<Labelled>(i));
	}
	for (unsigned i = 0; i < 10; i++) {
		h = mix(h, total(all) + casts(all));
		h = mix(h, diamonds(&diamond) + diamonds(&left));
	}
	for (auto &s : all) {
		const Shape &shape = *s;
		seen[typeid(shape)] += (shape.*area)();
		if (auto *l = dynamic_cast<Labelled *>(s.get()))
			h += l->*id;
	}
	h = mix(h, seen[typeid(Square)] ^ seen[typeid(Labelled)] << 1);
	return mix(h, bad_cast(diamond) + bad_cast(left));
}

int main()
{
	Labelled l(3);
	const Shape &s = l;

	guest_run("virtuals", round_);
	printf("%s %s\n", typeid(s).name(), typeid(Diamond).name());
	return 0;
}
