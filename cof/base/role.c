/*
 * role.c - the calling thread's role; see role.h
 */
#include "base/role.h"

_Thread_local enum cof_role cof_role = COF_ROLE_APP;
