/*
 * il.h - a method's IL, from its image's bytes
 *
 * Mono's own header has the types of the locals as well, and to resolve those it may load
 * assemblies, which is to happen when the program gets there and not before: handlers of
 * AssemblyResolve run then, and an assembly that was not found is never looked for again.
 */
#ifndef COFM_IL_H
#define COFM_IL_H

#include <stdbool.h>
#include <stdint.h>

#include <mono/metadata/class.h>

struct cofm_il {
	const unsigned char *code;
	uint32_t             size;
	bool                 has_clauses;	/* of exceptions */
};

/* False: it has none, or not in a file. Any thread, in Mono or not. */
bool cofm_il_find(MonoMethod *method, struct cofm_il *out);

#endif /* COFM_IL_H */
