/*
 * version_copy.h - a first version whose address the host cannot take back
 *
 *	callers --> entry of version 0: jmp --> stub --> its copy
 *	                                            \--> or a later version
 *
 * A host whose compiler hands out bare entries (Mono) has nothing to retarget but
 * the entry itself, and once there is a jump the version cannot be entered any
 * more. So it is compiled twice, and from then on the copy is what "version 0 is
 * current" leads to: in a trial, after a rollback, for a phase.
 *
 * The copy has a record of its own, for the index, which never becomes current;
 * what is sampled in it is credited to version 0 (sampler/credit.c). Threads may
 * be in either for as long as they like: both stay, and version 0 is not among the
 * retired that reclaim counts.
 */
#ifndef COF_PATCHER_VERSION_COPY_H
#define COF_PATCHER_VERSION_COPY_H

struct cof_method;

/* With the instance. */
void cof_version_copy_free(struct cof_method *method);

#endif /* COF_PATCHER_VERSION_COPY_H */
