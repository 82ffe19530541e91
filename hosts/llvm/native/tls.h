/*
 * tls.h - where the executable's thread-local variables are
 */
#pragma once

#include <stdint.h>

/* The distance of its block from each thread's pointer. Once, before code is
 * bound. */
void cofl_tls_native(intptr_t from_thread_pointer);
