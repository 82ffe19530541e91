/*
 * version_desc.h - what a host says of a version, made into a record
 *
 * Any thread, under no lock.
 */
#ifndef COF_PATCHER_VERSION_DESC_H
#define COF_PATCHER_VERSION_DESC_H

struct cof_method;
struct cof_version;
struct cof_version_desc;

/*
 * Everything that can be checked of `desc` alone is. The record is in no index
 * yet, and has no number. NULL: *err says why, and nothing is taken over.
 */
struct cof_version *cof_version_desc_make(struct cof_method *method,
				     const struct cof_version_desc *desc,
				     int *err);

/* Of a record that went nowhere. NULL is fine. */
void cof_version_desc_forget(struct cof_version *version);

#endif /* COF_PATCHER_VERSION_DESC_H */
