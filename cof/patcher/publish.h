/*
 * publish.h - stub, sites, slots and pad of a method follow its version
 *
 * Thread: under the code lock.
 */
#ifndef COF_PATCHER_PUBLISH_H
#define COF_PATCHER_PUBLISH_H

#include <stdint.h>

struct cof_method;
struct cof_version;

/* It is its method's current version from now on. */
void cof_publish(struct cof_version *version);

/* Stub, sites and slots lead to `entry`, or to the pad of a padded method. */
void cof_publish_entry(struct cof_method *method, uintptr_t entry);

/* It stays beside the current one. */
void cof_publish_park(struct cof_version *version);

#endif /* COF_PATCHER_PUBLISH_H */
