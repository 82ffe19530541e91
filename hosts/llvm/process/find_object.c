/*
 * find_object.c - the stand-in for _dl_find_object(3), with which unwinders
 * look for a function's unwind table
 */
#include "preload/native.h"
#include "preload/rtld_next.h"

STAND_IN
int _dl_find_object(void *pc, struct dl_find_object *found)
{
	const struct cofl_events *events = native_events();

	if (events != NULL && events->find_object != NULL &&
	    events->find_object(pc, found))
		return 0;
	return rtld_next._dl_find_object(pc, found);
}
