/*
 * host.h - the hosts' programs, and which of them runs a file
 */
#pragma once

enum host {
	HOST_LLVM,	/* bitcode, and what cof-cc made */
	HOST_MONO,	/* assemblies for .NET */
};

/* Decided by the file's first bytes. If it cannot be read: HOST_LLVM, which
 * says what is wrong. */
enum host host_for(const char *program);

/*
 * Become that program. `argv` is the command line, `program` its part from the
 * program on. cof-llvm has that part as its own command line (handoff.h),
 * cof-mono has all of it. Returns only if that fails, after a line on stderr
 * about the program.
 */
void host_become(enum host host, char **argv, char **program);
