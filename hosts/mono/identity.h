/*
 * identity.h - what the program is, for the history
 */
#ifndef COFM_IDENTITY_H
#define COFM_IDENTITY_H

#include "host.h"

/* A hash of the file's content. Cannot be read: unknown, and nothing is
 * remembered. */
void cofm_identity(struct cofm *host, const char *path);

#endif /* COFM_IDENTITY_H */
