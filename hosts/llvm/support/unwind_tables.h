/*
 * unwind_tables.h - libgcc's registry of unwind tables, which no header declares
 *
 * Thread: any. Who registers holds the loader's lock, for then no fork takes
 * the registry's along locked.
 */
#ifndef COFL_SUPPORT_UNWIND_TABLES_H
#define COFL_SUPPORT_UNWIND_TABLES_H

extern void __register_frame(void *eh_frame);
extern void __deregister_frame(void *eh_frame);

#endif /* COFL_SUPPORT_UNWIND_TABLES_H */
