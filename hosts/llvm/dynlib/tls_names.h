/*
 * tls_names.h - thread-local variables of the program, for shared libraries by
 * name
 *
 * For such a variable a library needs the number of its module and its offset
 * in the thread's block of that module (Drepper, "ELF Handling For Thread-Local
 * Storage"). The program's variables are in the room in cof-llvm's block
 * (link/tls.h). Their names are in an object of dynlib/exported_names.h, which
 * has no block.
 *
 * So that object is made to claim cof-llvm's block. That takes two words of the
 * dynamic linker's description of the object, behind the public part of struct
 * link_map. Their offset is found by means of cof-llvm's own description, all
 * values of which are known. If nothing there matches, as in another libc,
 * libraries do not find these names.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Are the two words known, and are the program's variables in the room? */
bool cofl_tls_names_can(void);

/* The value of the STT_TLS symbol for the variable at this offset in the
 * room. */
uint64_t cofl_tls_names_value(uintptr_t offset);

/* Make `object`, a handle of dlopen(3)'s with such symbols, claim cof-llvm's
 * block. Before anybody refers to the symbols. */
void cofl_tls_names_adopt(void *object);
