/*
 * single.c - the one word; see single.h
 */
#include "single.h"

_Atomic char single_thread = 1;
