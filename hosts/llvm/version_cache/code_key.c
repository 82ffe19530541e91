/*
 * code_key.c - see code_key.h
 */
#include "version_cache/code_key.h"

#include <cpuid.h>

#include <llvm/Config/llvm-config.h>

#include "cof.h"

void cofl_code_key(const uint8_t hash[COF_HASH_BYTES],
		   uint8_t key[COF_HASH_BYTES])
{
	static const char versions[] =
		"libcof " COF_VERSION_STRING " LLVM " LLVM_VERSION_STRING;
	uint32_t format = COFL_CODE_FORMAT, cpu[8] = { 0 };
	struct cof_hash h;

	/* Vendor, family, model, stepping. */
	__get_cpuid(0, &cpu[0], &cpu[1], &cpu[2], &cpu[3]);
	__get_cpuid(1, &cpu[4], &cpu[5], &cpu[6], &cpu[7]);
	cpu[5] = cpu[6] = cpu[7] = 0;	/* the core's number and the like */
	cof_hash_init(&h);
	cof_hash_add(&h, versions, sizeof(versions));
	cof_hash_add(&h, &format, sizeof(format));
	cof_hash_add(&h, cpu, sizeof(cpu));
	cof_hash_add(&h, hash, COF_HASH_BYTES);
	cof_hash_end(&h, key);
}
