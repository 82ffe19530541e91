/*
 * dladdr.h - dladdr(3) of the program's own addresses
 */
#ifndef COFL_DYNLIB_DLADDR_H
#define COFL_DYNLIB_DLADDR_H

#include <dlfcn.h>

#include "program/host.h"

/*
 * The file is the program's, and the base an ELF header with the names it exports, if
 * there are any; the symbol, if it is exported, the function's, by its stub or any
 * address in one of its versions. 0: neither the program's nor a library's.
 * Thread: any.
 */
int cofl_dladdr(struct cofl *host, const void *address, Dl_info *info);

#endif /* COFL_DYNLIB_DLADDR_H */
