/*
 * role.h - the roles of threads, and a check that a function runs in its own
 *
 * The main concurrency rule of libcof is "one thread owns it"; debug builds
 * check it. A function that belongs to a thread says so in its first line:
 *
 *	cof_assert_role(COF_ROLE_PICKER);
 *
 * With NDEBUG that compiles to nothing.
 */
#pragma once

#include <assert.h>

enum cof_role {
	COF_ROLE_APP,		/* a thread of the host or guest; the default */
	COF_ROLE_SAMPLER,	/* SAM */
	COF_ROLE_PREDICTOR,	/* PRE */
	COF_ROLE_PICKER,	/* P/O; also runs the patcher and reclaim */
	COF_ROLE_WORKER,	/* builds */
};

/* Initial-exec, so that the signal handler may read it. */
extern _Thread_local enum cof_role cof_role
	__attribute__((tls_model("initial-exec")));

#define cof_assert_role(r) assert(cof_role == (r))
