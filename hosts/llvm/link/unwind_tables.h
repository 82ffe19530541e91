/*
 * unwind_tables.h - libgcc's registry of unwind tables, which no header
 * declares
 *
 * Thread: any that holds the loader's lock. A fork takes that lock too, so a
 * child never inherits the registry locked.
 */
#pragma once

extern void __register_frame(void *eh_frame);
extern void __deregister_frame(void *eh_frame);
