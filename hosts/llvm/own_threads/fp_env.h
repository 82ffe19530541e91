/*
 * fp_env.h - libcof computes as a new process does, whatever the program set
 *
 * A program may have arithmetic trap (feenableexcept(3)), round otherwise, or
 * ask which exceptions there were (fetestexcept(3)). A thread inherits that
 * from its maker. These functions are libm's, which libcof-preload.so does not
 * load. For x86-64: the x87's environment as FNSTENV stores it, and MXCSR
 * (Intel's manual, volume 1, 8.1.10 and 10.2.3).
 */
#pragma once

#include <stdint.h>

struct fp_env {
	uint32_t x87[7];
	uint32_t mxcsr;
};

/* On a thread of libcof's, when it begins. */
static inline void fp_env_default(void)
{
	const uint32_t mxcsr = 0x1f80;

	__asm__ volatile("fninit\n\tldmxcsr %0" : : "m"(mxcsr));
}

/* On a thread of the program's, around what libcof does there. FNSTENV masks
 * the x87's exceptions; its registers stay. */
static inline void fp_env_begin(struct fp_env *before)
{
	const uint32_t mxcsr = 0x1f80;
	const uint16_t control = 0x37f;

	__asm__ volatile("fnstenv %0\n\tstmxcsr %1"
			 : "=m"(before->x87), "=m"(before->mxcsr));
	__asm__ volatile("fldcw %0\n\tldmxcsr %1"
			 : : "m"(control), "m"(mxcsr));
}

static inline void fp_env_end(const struct fp_env *before)
{
	__asm__ volatile("fldenv %0\n\tldmxcsr %1"
			 : : "m"(before->x87), "m"(before->mxcsr));
}
