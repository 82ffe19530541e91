/*
 * cpu_x86_64.c - the CPU by its brand string, or by family, model and stepping
 *
 * Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 2A, CPUID.
 */
#include "history/cpu.h"

#include <cpuid.h>
#include <stdio.h>
#include <string.h>

#define BRAND_FIRST 0x80000002u
#define BRAND_LAST  0x80000004u

void cof_history_cpu(char name[COF_HISTORY_WORD])
{
	unsigned word[3 * 4 + 1] = { 0 }, a, b, c, d;
	char *brand = (char *)word;

	if (__get_cpuid_max(0x80000000u, NULL) >= BRAND_LAST) {
		for (unsigned i = 0; i < 3; i++)
			__cpuid(BRAND_FIRST + i, word[4 * i], word[4 * i + 1],
				word[4 * i + 2], word[4 * i + 3]);
		brand += strspn(brand, " ");
	}
	if (*brand == '\0' && __get_cpuid(1, &a, &b, &c, &d))
		snprintf(brand, 16, "x86-64 %x", a);
	cof_history_text(name, COF_HISTORY_WORD, brand);
}
