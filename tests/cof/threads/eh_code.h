/*
 * eh_code.h - some JIT code and its .eh_frame
 */
#pragma once

#include <string.h>

#include "codemem/code_range.h"
#include "threads/stack.h"
#include "threads/unwind.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

/*
 * inner() counts rdi down. outer() calls it with a frame pointer of 0, so that
 * no frame pointers lead to the caller.
 */
#define OUTER 16
static const uint8_t code[] = {
	0x48, 0x89, 0xf8,		/*  0 inner: mov rax, rdi */
	0x48, 0xff, 0xc8,		/*  3 1: dec rax */
	0x75, 0xfb,			/*  6 jnz 1b */
	0xc3,				/*  8 ret */
	0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
	0x55,				/* 16 outer: push rbp */
	0x31, 0xed,			/* 17 xor ebp, ebp */
	0x48, 0x83, 0xec, 0x20,		/* 19 sub rsp, 32 */
	0xe8, 0xe4, 0xff, 0xff, 0xff,	/* 23 call inner */
	0x48, 0x83, 0xc4, 0x20,		/* 28 add rsp, 32 */
	0x5d,				/* 32 pop rbp */
	0xc3,				/* 33 ret */
};
#define AFTER_CALL 28

static struct cof_code_range range;
static uint8_t *frames;
static size_t frames_bytes;

static inline void put(const void *bytes, size_t n)
{
	memcpy(frames + frames_bytes, bytes, n);
	frames_bytes += n;
}

static inline void put32(uint32_t v)
{
	put(&v, sizeof(v));
}

/* One FDE for [from, to) of the code. */
static inline void put_fde(uint32_t from, uint32_t to, const uint8_t *cfi,
			   uint32_t cfi_bytes)
{
	uint64_t here;

	put32(4 + 8 + 1 + cfi_bytes);
	put32((uint32_t)frames_bytes);		/* back to the CIE at 0 */
	here = ADDRESS(frames) + frames_bytes;
	put32((uint32_t)(ADDRESS(range.exec) + from - here));
	put32(to - from);
	put("", 1);
	put(cfi, cfi_bytes);
}

static inline void put_frames(void)
{
	static const uint8_t cie[] = {
		1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,	/* pcrel, sdata4 */
		0x0c, 7, 8,		/* CFA is rsp + 8 */
		0x90, 1,		/* return address at CFA - 8 */
		0, 0,
	};
	static const uint8_t leaf[] = { 0, 0, 0 };
	static const uint8_t outer[] = {
		0x41, 0x0e, 16, 0x86, 2,	/* 17: CFA + 8, rbp saved */
		0x46, 0x0e, 48,			/* 23: 32 more */
		0x49, 0x0e, 16,			/* 32: back */
		0x41, 0x0e, 8,			/* 33: and rbp off */
		0xc6, 0,			/* rbp is the caller's */
	};

	frames = (uint8_t *)range.data + 64;
	frames_bytes = 0;
	put32(4 + sizeof(cie));
	put32(0);
	put(cie, sizeof(cie));
	put_fde(0, 9, leaf, sizeof(leaf));
	put_fde(OUTER, sizeof(code), outer, sizeof(outer));
	put32(0);
}

static inline int make_code(void **state)
{
	(void)state;
	if (cof_code_range_map(&range, 1 << 16, 1 << 16, NULL, 0) != 0)
		return -1;
	memcpy(range.write, code, sizeof(code));
	put_frames();
	return 0;
}

static inline int drop_code(void **state)
{
	(void)state;
	cof_unwind_remove(range.exec);
	cof_code_range_unmap(&range);
	return 0;
}

static inline int add_code(void)
{
	return cof_unwind_add(range.exec, range.exec + sizeof(code), frames,
			      frames_bytes);
}

static inline void skip_without_libunwind(void)
{
	if (!cof_unwind_open())
		skip();
}
