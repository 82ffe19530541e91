/*
 * libcall.h - functions that the compiler calls where the program does not
 */
#pragma once

#include "cofl.h"

/* Look them up, once. */
void cofl_libcalls_find(struct cofl *host);
