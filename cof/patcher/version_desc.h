/*
 * version_desc.h - make a version's record from the host's description
 *
 * Any thread, under no lock.
 */
#pragma once

struct cof_method;
struct cof_version;
struct cof_version_desc;

/*
 * Check all of `desc` that can be checked by itself, and make the record, which
 * is in no index yet and has no number. NULL: *err is -COF_E_INVAL or
 * -COF_E_NOMEM, and the caller still owns all that `desc` names.
 */
struct cof_version *cof_version_desc_make(struct cof_method *method,
					  const struct cof_version_desc *desc,
					  int *err);

/* Free a record that is in no index; may be NULL. */
void cof_version_desc_forget(struct cof_version *version);
