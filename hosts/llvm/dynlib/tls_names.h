/*
 * tls_names.h - thread-local variables of the program that shared libraries find by name
 *
 * A library asks for the module of such a variable, and where in a thread's block of that
 * module it is (Drepper, "ELF Handling For Thread-Local Storage"). The program's are in
 * cof-llvm's block, in its room (link/tls.h), and their names in an object of exported_names.h's. So
 * that object is made to say that cof-llvm's block is its own: two words of the dynamic
 * linker's description of it, behind the public part of struct link_map. Where in there
 * they are is found out by cof-llvm's, of which all is known; where nothing fits, as in
 * another libc, the names are not found.
 */
#ifndef COFL_DYNLIB_TLS_NAMES_H
#define COFL_DYNLIB_TLS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Can it be done, and are the program's variables in the room? */
bool cofl_tls_names_can(void);

/* The value of the symbol (STT_TLS) of the variable at this offset. */
uint64_t cofl_tls_names_value(uintptr_t offset);

/* `object`, dlopen(3)'s, has such symbols: before anybody refers to them. */
void cofl_tls_names_adopt(void *object);

#endif /* COFL_DYNLIB_TLS_NAMES_H */
