/*
 * entry.h - lead those who call a method's first code to its stub
 */
#ifndef COFM_ENTRY_H
#define COFM_ENTRY_H

#include "host.h"

/*
 * Overwrite the entry of m->start with a jump to the method's stub, for good.
 * Inside cofm_enter(). COFM_ACCEPTED, or why not: nothing was changed.
 */
enum cofm_declined cofm_entry_redirect(struct cofm_method *m);

#endif /* COFM_ENTRY_H */
