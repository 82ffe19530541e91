/*
 * lines.h - which instruction of the IL an address belongs to
 *
 * Mono keeps one map for each method: of sequence points from its first
 * compilation, of lines (--debug) from its latest. With several bodies of a
 * method at once a stack trace would give the place that another body has at that
 * distance from its start. So each body's own map is used:
 *
 *	stack trace --> mono_jit_info_get_method()          notes which body
 *	            \-> mono_debug_lookup_source_location() by that one's lines
 *	            \-> mono_seq_point_find_prev_by_native_offset()  by its points
 *
 * The linker leads Mono's calls of these here (--wrap, local.mk).
 */
#ifndef COFM_LINES_H
#define COFM_LINES_H

#include "compile.h"
#include "host.h"

/* Before the first call of the others. */
void cofm_lines_begin(struct cofm *host);

/* Around a compilation of m, on the thread that does it, inside cofm_enter().
 * `body`: what came out, or NULL. */
void cofm_lines_before(const struct cofm_method *m);
void cofm_lines_after(struct cofm_method *m, const struct cofm_body *body);

/* The record was freed. */
void cofm_lines_forget(const MonoJitInfo *record);

#endif /* COFM_LINES_H */
