/*
 * identity.h - by what the history knows the program
 */
#pragma once

#include "vm/host.h"

/* Set host->identity to a hash of the file's content. If the file cannot be
 * read, there is no identity, and nothing is remembered. */
void cofm_identity(struct cofm *host, const char *path);
