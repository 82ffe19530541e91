/*
 * publish.h - a method's stub, sites, slots and thunk follow its version
 *
 * Thread: under the code lock.
 */
#pragma once

#include <stdint.h>

struct cof_method;
struct cof_version;

/* Make `version` its method's current one. */
void cof_publish(struct cof_version *version);

/*
 * Lead stub, sites and slots to `entry`, or to the thunk if callers go by it.
 */
void cof_publish_entry(struct cof_method *method, uintptr_t entry);

/* Park `version`: it stays, beside the current one. */
void cof_publish_park(struct cof_version *version);
