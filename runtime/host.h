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

/* Become that program, with the same command line. Returns only if that fails,
 * after a line on stderr about `program`. */
void host_become(enum host host, const char *program, char **argv);
