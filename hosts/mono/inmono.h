/*
 * inmono.h - libcof's threads inside Mono
 *
 * A thread that calls into Mono has to be attached, and a collection waits for
 * every attached thread until it is at a safepoint; so does the end of the
 * program. Libcof's threads are therefore attached as Mono's own helpers are: not
 * managed, and no part of a collection but between these two.
 */
#ifndef COFM_INMONO_H
#define COFM_INMONO_H

#include <stdbool.h>

struct cofm;

/* False: Mono does not run, do nothing. May wait for a collection. No lock of
 * libcof's or ours may be taken in between. */
bool cofm_enter(struct cofm *host);
void cofm_leave(void);

#endif /* COFM_INMONO_H */
