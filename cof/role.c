/*
 * role.c - the calling thread's role
 */
#include "role.h"

_Thread_local enum cof_role cof_role = COF_ROLE_APP;
