/*
 * method.h - the methods that libcof knows
 */
#pragma once

#include "vm/host.h"

/*
 * Make the record of a method that is to be added. `info`: its code, which Mono
 * has compiled or has from an image. Inside cofm_attach_enter(), or on a thread
 * of Mono's. NULL: no memory.
 */
struct cofm_method *cofm_method_new(struct cofm *host, MonoMethod *mono,
				    MonoJitInfo *info);

/*
 * Give m to libcof, with that code as version 0. Not inside
 * cofm_attach_enter(). False: no memory, or another record of the method is
 * there already; m was freed.
 */
bool cofm_method_add(struct cofm_method *m);

/* The record of `mono`. NULL: it was never sampled, nor compiled in mode
 * pgo. */
struct cofm_method *cofm_method_find(struct cofm *host, MonoMethod *mono);

/* From now on no version of m is built. */
void cofm_method_decline(struct cofm_method *m, enum cofm_declined why);

bool cofm_method_is_declined(const struct cofm_method *m);

/* Write a line to libcof's log for each reason: how many methods, how many
 * samples. */
void cofm_method_report_declined(struct cofm *host);
