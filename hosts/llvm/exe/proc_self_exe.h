/*
 * proc_self_exe.h - the path of the program, where it asks for its own
 *
 * The kernel knows cof-llvm: /proc/self/exe and AT_EXECFN lead there. Process-wide:
 * cof-llvm defines the functions by which programs look, and all libraries find them
 * here (std::filesystem lives in one). What opens the file or asks for its attributes
 * still gets cof-llvm.
 */
#ifndef OWNPATH_H
#define OWNPATH_H

/* From now on that is the program's. The string stays valid. */
void proc_self_exe_set(const char *program);

#endif /* OWNPATH_H */
