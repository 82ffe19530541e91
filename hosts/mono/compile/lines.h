/*
 * lines.h - find the IL instruction that an address belongs to
 *
 * Mono keeps two maps for each method: of sequence points, from its first
 * compilation, and of lines (--debug), from its latest. Where a method has
 * several bodies, a stack trace by these maps could name the place that another
 * body has at the same distance from its start. So this file keeps a map for
 * each body:
 *
 *	a stack trace calls                            which here
 *	mono_jit_info_get_method()                     notes the body
 *	mono_debug_lookup_source_location()            uses its lines
 *	mono_seq_point_find_prev_by_native_offset()    uses its points
 *
 * The linker leads Mono's calls of these functions here (--wrap, local.mk).
 */
#pragma once

#include "compile/compile.h"
#include "vm/host.h"

/* Call it before the others. */
void cofm_lines_begin(struct cofm *host);

/* Call them before and after a compilation of m, on the thread that compiles,
 * inside cofm_attach_enter(), for m's domain. `body`: the result,
 * or NULL. `cfg`: what Mono's compiler made. */
void cofm_lines_before(const struct cofm_method *m);
void cofm_lines_after(struct cofm_method *m, const struct cofm_body *body,
		      const void *cfg);

/* The record was freed; or those of a domain are about to be. */
void cofm_lines_forget(const MonoJitInfo *record);
void cofm_lines_unload(const struct cofm_domain *domain);
