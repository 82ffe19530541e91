/*
 * il.h - a method's IL, from the bytes of its image
 *
 * Mono's own method header also has the types of the locals. To resolve them
 * Mono may load assemblies. That must happen when the program gets there and
 * not before: it runs the program's handlers of AssemblyResolve, and Mono never
 * looks again for an assembly that it did not find.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <mono/metadata/class.h>

struct cofm_il {
	const unsigned char *code;
	uint32_t             size;
	bool                 has_clauses;	/* of exceptions */
};

struct cofm_il_op {
	int      code;		/* MONO_CEE_... */
	uint32_t token;		/* its operand, if that has 4 bytes */
};

/* Read the instruction at *ip, before `end`, and go to the next. False: there
 * is none, or the bytes are no IL. */
bool cofm_il_next(const unsigned char **ip, const unsigned char *end,
		  struct cofm_il_op *out);

/* False: the method has no IL, or none in a file. Thread: any, in Mono or
 * not. */
bool cofm_il_find(MonoMethod *method, struct cofm_il *out);
