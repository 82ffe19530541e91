/*
 * host.h - the program of each host, and which a file is for
 */
#ifndef HOST_H
#define HOST_H

enum host {
	HOST_LLVM,	/* bitcode, and what cof-cc made */
	HOST_MONO,	/* assemblies for .NET */
};

/* By the file's first bytes; HOST_LLVM, which says what is wrong, if it cannot be
 * read. */
enum host host_for(const char *program);

/* Become that program, with the same command line. Returns if that is not
 * possible, after a line on stderr about `program`. */
void host_become(enum host host, const char *program, char **argv);

#endif /* HOST_H */
