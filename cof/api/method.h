/*
 * method.h - free the methods of an instance
 */
#pragma once

struct cof;

/*
 * Free every method with its current version, slots and IR; calls drop() and
 * discard(). After cof_reclaim_free(), while no other thread uses the instance.
 */
void cof_method_free_all(struct cof *cof);
