/*
 * goto_table.c - computed goto: constant, mutable, nested and stored labels
 *
 * guest-hot:
 */
#include "guest.h"

enum { ADD, MUL, XOR, DEC, JNZ, END };

/* One constant table of labels, the classic interpreter. */
NOINLINE static uint64_t constant(const unsigned char *code)
{
	static const void *const table[] = {
		&&add, &&mul, &&xor, &&dec, &&jnz, &&end,
	};
	uint64_t a = 1, n = 500;
	const unsigned char *pc = code;

	goto *table[*pc++];
add:	a += n;
	goto *table[*pc++];
mul:	a *= 0x9e3779b97f4a7c15u;
	goto *table[*pc++];
xor:	a ^= a >> 29;
	goto *table[*pc++];
dec:	n--;
	goto *table[*pc++];
jnz:	if (n)
		pc = code;
	goto *table[*pc++];
end:	return a;
}

/* A table that the function itself changes while it runs. */
NOINLINE static uint64_t mutable(void)
{
	static void *table[4];
	uint64_t h = MIX0;

	table[0] = &&zero;
	table[1] = &&one;
	table[2] = &&two;
	table[3] = &&out;
	for (unsigned i = 0; i < 1000; i++) {
		goto *table[i % 3];
zero:		h = mix(h, 0);
		table[0] = table[1];
		continue;
one:		h = mix(h, 1);
		table[1] = table[2];
		continue;
two:		h = mix(h, 2);
		table[2] = table[0];
		table[0] = &&zero;
		table[1] = &&one;
		if (i > 900)
			goto *table[3];
		table[2] = &&two;
		continue;
	}
out:	return h;
}

struct op {
	const char *name;
	const void *label;
	int         arg;
};

/* Labels inside a table of structs, and differences of labels. */
NOINLINE static uint64_t nested(unsigned n)
{
	static const struct op ops[] = {
		{ "inc", &&inc, 3 }, { "dbl", &&dbl, 5 }, { "neg", &&neg, 7 },
	};
	static const int offsets[] = {
		&&inc2 - &&inc2, &&dbl2 - &&inc2, &&neg2 - &&inc2,
	};
	uint64_t a = n;
	const struct op *op;

	for (unsigned i = 0; i < 300; i++) {
		op = &ops[(i * 7 + n) % 3];
		goto *op->label;
inc:		a += (uint64_t)op->arg;
		goto second;
dbl:		a = a * 2 + (uint64_t)op->arg;
		goto second;
neg:		a = ~a ^ (uint64_t)op->name[0];
second:		goto *(&&inc2 + offsets[(i + n) % 3]);
inc2:		a += 11;
		continue;
dbl2:		a *= 3;
		continue;
neg2:		a = mix(a, i);
	}
	return a;
}

/*
 * Where to go on is kept outside of the function, as protothreads do: a label
 * taken in one version is jumped to in a later one.
 */
NOINLINE static uint64_t resume(void **where, uint64_t *state)
{
	if (*where)
		goto *(*where);
	*state = 1;
	*where = &&first;
	return 0;
first:
	*state = *state * 3 + 1;
	*where = *state & 1 ? &&odd : &&even;
	return *state;
odd:
	*state ^= *state << 7;
	*where = &&first;
	return *state;
even:
	*state = *state >> 1 | 1ull << 40;
	*where = &&odd;
	return *state;
}

static uint64_t round_(void)
{
	static const unsigned char code[] = {
		ADD, MUL, XOR, MUL, XOR, DEC, JNZ, END,
	};
	uint64_t h = MIX0;

	for (unsigned i = 0; i < 60; i++) {
		h = mix(h, constant(code));
		h = mix(h, mutable());
		h = mix(h, nested(i));
	}
	return h;
}

static uint64_t generator(void)
{
	uint64_t h = MIX0, state = 0;
	void *where = NULL;

	for (unsigned i = 0; i < 20000; i++)
		h = mix(h, resume(&where, &state));
	return h;
}

int main(void)
{
	guest_run("goto_table", round_);
	guest_run("generator", generator);
	return 0;
}
