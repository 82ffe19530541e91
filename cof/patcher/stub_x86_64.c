/*
 * stub_x86_64.c - glue, and which vector registers the trampoline saves
 */
#include "patcher/stub.h"

#include <cpuid.h>
#include <string.h>

#include "patcher/stub_stack.h"

#define OSXSAVE (1u << 27)	/* CPUID leaf 1, ecx */

/*
 * The XSAVE components that hold arguments (System V ABI): SSE, AVX, and the
 * three parts of AVX-512. x87 and AMX registers hold none.
 */
#define ARGUMENTS 0xe6u

#define LEGACY_BYTES 576u	/* the FXSAVE area and the XSAVE header */

static uint32_t enabled(void)
{
	uint32_t lo, hi;

	__asm__("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
	return lo;
}

/* CPUID leaf 0xd has size and offset of each component (SDM vol. 1, ch. 13). */
static void look_at_processor(void)
{
	uint32_t a, b, c, d, bytes = LEGACY_BYTES, mask;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE))
		return;
	mask = enabled() & ARGUMENTS;
	for (uint32_t i = 2; i < 32; i++) {
		if (!(mask & 1u << i))
			continue;
		if (!__get_cpuid_count(0xd, i, &a, &b, &c, &d))
			return;
		if (a + b > bytes)
			bytes = a + b;
	}
	__atomic_store_n(&cof_stub_vector_bytes, (bytes + 63) & ~63u,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&cof_stub_vector_mask, mask, __ATOMIC_RELAXED);
}

void cof_stub_write_glue(struct cof *cof, void *write,
			 cof_stub_first_call_fn *first_call)
{
	const void *to = cof_stub_trampoline;
	unsigned char insn[26] = {
		0x41, 0x53,			/* push %r11 */
		0x49, 0xbb,			/* movabs $cof, %r11 */
		[12] = 0xff, 0x25, 0, 0, 0, 0,	/* jmp *0(%rip) */
	};

	look_at_processor();
	cof_stub_stack_prepare();
	__atomic_store_n(&cof_stub_on_first_call, first_call, __ATOMIC_RELAXED);
	memcpy(insn + 4, &cof, sizeof(cof));
	memcpy(insn + 18, &to, sizeof(to));
	memcpy(write, insn, sizeof(insn));
}
