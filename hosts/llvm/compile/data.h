/*
 * data.h - the program's variables, and what else exists once
 */
#pragma once

#include <llvm-c/Core.h>

#include "program/host.h"

struct cofl_copy;
struct cofl_clone;

/* Call `pin` for each method that may have one body only, perhaps repeatedly. */
typedef void cofl_data_pin_fn(void *arg, uint32_t number);
void cofl_data_pin(const struct cofl_copy *copy, cofl_data_pin_fn *pin,
		   void *arg);

/* Names of constructors and destructors, NULL at the end of each (program/host.h). The
 * caller's to free, names and lists. */
void cofl_data_starts(LLVMModuleRef module, char ***start_list,
		      char ***end_list);

/*
 * Define all variables and the module-level assembly in `unit`, behind the bodies
 * it has. True: there is such assembly. Failures are in unit->why.
 */
bool cofl_data_define(struct cofl_clone *unit);

/*
 * Compile and place all variables of the program, its module-level assembly, and
 * the bodies of pinned methods; note its constructors and destructors. To be bound,
 * and host->data given back, by cofl_program_load_bind()'s caller. 0, or a
 * cof_err and why. Thread: the one that opens the program.
 */
int  cofl_data_load(struct cofl *host, char *why, size_t why_bytes);

/* NULL if every name the program uses was found, else the first that was not. */
const char *cofl_data_undefined(struct cofl *host);
