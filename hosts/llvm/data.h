/*
 * data.h - the program's variables, and what else exists once
 */
#ifndef COFL_DATA_H
#define COFL_DATA_H

#include "host.h"

/*
 * Compile and load all variables of the program, its module-level assembly, and
 * the bodies of pinned methods; note its constructors and destructors. 0, or a
 * cof_err and why. Thread: the one that opens the program.
 */
int  cofl_data_load(struct cofl *host, char *why, size_t why_bytes);

/* NULL if every name the program uses was found, else the first that was not. */
const char *cofl_data_undefined(struct cofl *host);

#endif /* COFL_DATA_H */
