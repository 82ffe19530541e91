/*
 * single_threaded.c - the one word; see single_threaded.h
 */
#include "support/single_threaded.h"

_Atomic char single_threaded_word = 1;
