/*
 * stack_calls.h - would a method's results change if it had no frame?
 *
 * Read from its IL: no token is resolved, since that may load assemblies
 * (il.h).
 */
#pragma once

#include <stdbool.h>

#include <mono/metadata/class.h>

/* Does it call anything at all? What it calls may look for its assembly. */
bool cofm_stack_calls_any(MonoMethod *method);

/* Does it call what looks at its own frame, or for its assembly? By the names
 * of these in the runtime's library. */
bool cofm_stack_calls_named(MonoMethod *method);
