/*
 * libcall.c - a list of names; see libcall.h
 *
 * LLVM replaces loops and other calls by some (LoopIdiomRecognize,
 * SimplifyLibCalls); others do what x86-64 has no instructions for. The loader
 * looks up a function that is not in the list when code first needs it.
 */
#include "ir/libcall.h"

#include "support/recover.h"

static const char *const names[] = {
	"memcpy", "memmove", "memset", "memcmp", "bcmp", "mempcpy", "memchr",
	"memrchr", "strlen", "wcslen", "strchr", "strrchr", "strcmp", "strncmp",
	"strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strpbrk",
	"strnlen", "calloc", "puts", "putchar", "fputc", "fputs", "fwrite",
	"sprintf",
	"pow", "powf", "powl", "exp", "exp2", "exp10", "expf", "exp2f",
	"exp10f",
	"log", "log2", "log10", "log1p", "logf", "log2f", "log10f",
	"sin", "cos", "tan", "sinf", "cosf", "tanf", "sincos", "sincosf",
	"sqrt", "sqrtf", "sqrtl", "cbrt", "cbrtf", "ldexp", "ldexpf", "ldexpl",
	"fmod", "fmodf", "fmodl", "floor", "floorf", "ceil", "ceilf", "trunc",
	"truncf", "rint", "rintf", "nearbyint", "nearbyintf", "round", "roundf",
	"roundeven", "roundevenf", "fma", "fmaf", "fmin", "fminf", "fmax",
	"fmaxf",
	"lrint", "llrint", "lround", "llround", "abort", "_Unwind_Resume",
	"__stack_chk_fail", "__divti3", "__modti3", "__udivti3", "__umodti3",
	"__multi3", "__popcountdi2", "__powidf2", "__powisf2", "__tls_get_addr",
};

static void find(void *arg)
{
	struct cofl *host = arg;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		cofl_symbols_resolve(&host->symbols, names[i]);
}

void cofl_libcalls_find(struct cofl *host)
{
	char why[64];

	if (!cofl_recover_locked(&host->loader_lock, find, host, why,
				 sizeof(why)))
		cofl_recover_leave(why);
}
