/*
 * musttail.c - calls that must not grow the stack, 10 million deep
 *
 * guest-hot:
 */
#include "guest.h"

struct vm {
	uint64_t acc;
	uint64_t left;
};

typedef uint64_t op(struct vm *vm, const unsigned char *pc, uint64_t k);

static op op_add, op_mul, op_loop, op_end;
static op *const ops[] = { op_add, op_mul, op_loop, op_end };

#define NEXT(k) \
	__attribute__((musttail)) return ops[*pc](vm, pc + 1, k)

NOINLINE static uint64_t op_add(struct vm *vm, const unsigned char *pc,
				uint64_t k)
{
	vm->acc += k;
	NEXT(k + 1);
}

NOINLINE static uint64_t op_mul(struct vm *vm, const unsigned char *pc,
				uint64_t k)
{
	vm->acc *= 0x9e3779b97f4a7c15u;
	NEXT(k);
}

NOINLINE static uint64_t op_loop(struct vm *vm, const unsigned char *pc,
				 uint64_t k)
{
	if (--vm->left)
		pc -= 4;
	NEXT(k);
}

NOINLINE static uint64_t op_end(struct vm *vm, const unsigned char *pc,
				uint64_t k)
{
	(void)pc;
	return vm->acc ^ k;
}

NOINLINE static uint64_t even(uint64_t n, uint64_t h);

/* Direct, and between two functions. */
NOINLINE static uint64_t odd(uint64_t n, uint64_t h)
{
	if (n == 0)
		return h * 3;
	__attribute__((musttail)) return even(n - 1, h ^ n);
}

NOINLINE static uint64_t even(uint64_t n, uint64_t h)
{
	if (n == 0)
		return h * 5;
	__attribute__((musttail)) return odd(n - 1, h * 31 + n);
}

static uint64_t round_(void)
{
	static const unsigned char code[] = { 0, 1, 0, 2, 3 };
	struct vm vm = { 1, 500000 };

	return mix(ops[*code](&vm, code + 1, 3), even(1000001, 1));
}

int main(void)
{
	guest_run("musttail", round_);
	return 0;
}
