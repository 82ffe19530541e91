/*
 * dladdr.h - dladdr(3) for the program's own addresses
 */
#pragma once

#include <dlfcn.h>

#include "program/host.h"

/*
 * As dladdr(3). For an address of the program *info has
 *
 *	file	the program's path
 *	base	an ELF header with the names it exports; NULL: there is none
 *	symbol	the function, if it is exported, by its stub or by any address
 *		in one of its versions
 *
 * 0: the address is neither the program's nor a library's. Thread: any.
 */
int cofl_dladdr(struct cofl *host, const void *address, Dl_info *info);
