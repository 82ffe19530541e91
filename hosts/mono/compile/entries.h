/*
 * entries.h - how often a method is entered
 *
 *	stub ----> inc [count]; jmp ----> version 0's copy
 *
 * This is libcof's instrumented version of a method.
 *	- It takes one nanosecond an entry. Mono's own events would take fifty.
 *	- It needs no compilation.
 *	- It continues in code that is never freed.
 *
 * Iterations of loops are not counted: they would not show what a new version
 * can bring, since a thread stays in the version it entered until it leaves it.
 */
#pragma once

#include "vm/host.h"

/* cof_host's instrument(); m->copy is set. Thread: workers. */
int cofm_entries_count(struct cofm_method *m, struct cof_version_desc *out);

/* cof_host's counted(): entries since the latest cofm_entries_count(). Thread:
 * P/O. */
uint64_t cofm_entries_counted(struct cofm_method *m);

/* By the latest count; 0: there was none, or no entry. Any thread. */
double cofm_entries_per_second(const struct cofm_method *m);
