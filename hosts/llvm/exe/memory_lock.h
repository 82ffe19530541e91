/*
 * memory_lock.h - mlockall(2) locks what is used, and no reserved addresses
 *
 * libcof and its host reserve gigabytes of addresses without memory. The kernel
 * would give memory to all of them, or refuse because of RLIMIT_MEMLOCK. The
 * stand-in for mlockall(2) locks mapping by mapping:
 *
 *	mapping				locked
 *	reserved without memory		its pages that are in memory
 *	LLVM's and libcof's code	the same
 *	any other			all of it; under a limit, its pages that
 *					are in memory
 *
 * Under a limit, LLVM's memory and libraries are locked as far as it lasts.
 *
 * MCL_FUTURE locks each later page when it is first touched.
 */
#pragma once
