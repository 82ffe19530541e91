/*
 * libc_calls.h - which functions this library calls
 *
 * The dynamic linker binds a name to the executable's definition first. A
 * program that has functions of libc's names, close() or read(), natively gets
 * only the calls of its own and of its libraries. This library calls libc's.
 */
#pragma once

/* Once, after rtld_next_init(): lead this library's calls to what comes after
 * it, whatever the executable defines. */
void libc_calls_bind(void);
