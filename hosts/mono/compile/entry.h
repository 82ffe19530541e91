/*
 * entry.h - lead callers of a method's first code to its stub
 */
#pragma once

#include "vm/host.h"

/*
 * Overwrite the first instructions at m->start with a jump to the method's
 * stub, for good. Inside cofm_attach_enter(). COFM_ACCEPTED, or why nothing was
 * changed.
 */
enum cofm_declined cofm_entry_redirect(struct cofm_method *m);
