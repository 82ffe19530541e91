/*
 * single_threaded.c - the word itself; see single_threaded.h
 */
#include "support/single_threaded.h"

_Atomic char single_threaded_word = 1;
