/*
 * entries.h - how often a method is entered
 *
 *	stub ----> inc [count]; jmp ----> version 0's copy
 *
 * libcof's counting version of a method. Mono's own events on entry would take
 * fifty nanoseconds each; this takes one, needs no compilation, and goes on in
 * code that is never freed.
 *
 * Loops that go round are not counted: a method that is entered once a second
 * stays for a second in whatever version it was entered.
 */
#ifndef COFM_ENTRIES_H
#define COFM_ENTRIES_H

#include "host.h"

/* cof_host's; `m` has a copy. Thread: workers. */
int cofm_entries_count(struct cofm_method *m, struct cof_version_desc *out);

/* So far, since the latest cofm_entries_count(). Thread: P/O. */
uint64_t cofm_entries_counted(struct cofm_method *m);

/* As of the latest count; 0: none, or never entered. Any thread. */
double cofm_entries_per_second(const struct cofm_method *m);

#endif /* COFM_ENTRIES_H */
