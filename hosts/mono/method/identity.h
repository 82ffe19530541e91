/*
 * identity.h - by what the history knows the program
 */
#ifndef COFM_METHOD_IDENTITY_H
#define COFM_METHOD_IDENTITY_H

#include "vm/host.h"

/* Set host->identity to a hash of the file's content. If the file cannot be
 * read, there is no identity, and nothing is remembered. */
void cofm_identity(struct cofm *host, const char *path);

#endif /* COFM_METHOD_IDENTITY_H */
