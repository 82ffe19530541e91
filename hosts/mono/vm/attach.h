/*
 * attach.h - attach libcof's threads to Mono
 *
 * A thread that calls into Mono has to be attached. A collection waits until
 * every attached thread is at a safepoint, and so does the end of the program.
 * So libcof's threads are attached as Mono's own helpers are: not managed, and
 * part of a collection only between these two calls.
 */
#pragma once

#include <stdbool.h>

struct cofm;

/* False: Mono does not run; do nothing. May wait for a collection. Between the
 * two, take no lock of libcof or of this host. */
bool cofm_attach_enter(struct cofm *host);
void cofm_attach_leave(void);
