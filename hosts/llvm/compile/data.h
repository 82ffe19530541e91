/*
 * data.h - what a program has once: variables, pinned bodies, assembly
 */
#pragma once

#include <llvm-c/Core.h>

#include "program/host.h"

struct cofl_copy;
struct cofl_clone;

/* The name of a function or a variable. */
const char *cofl_data_name(LLVMValueRef v);

/* Call `pin` for each method that may have one body only, maybe repeatedly. */
typedef void cofl_data_pin_fn(void *arg, uint32_t number);
void cofl_data_pin(const struct cofl_copy *copy, cofl_data_pin_fn *pin,
		   void *arg);

/* Names of constructors and destructors, as in program/host.h. The caller frees
 * names and lists. */
void cofl_data_starts(LLVMModuleRef module, char ***start_list,
		      char ***end_list);

/*
 * Define all variables and the module-level assembly in `unit`, behind the
 * bodies it has. True: there is such assembly. unit->why has a failure.
 */
bool cofl_data_define(struct cofl_clone *unit);

/*
 * Compile and place the program's variables, its module-level assembly and the
 * bodies of pinned methods; note its constructors and destructors. The caller
 * of cofl_program_load_bind() binds them and frees host->data. 0, or a cof_err
 * and why. Thread: the one that opens the program.
 */
int  cofl_data_load(struct cofl *host, char *why, size_t why_bytes);

/* The first name that the program uses and that was not found; NULL: none. */
const char *cofl_data_undefined(struct cofl *host);
