/*
 * dotnet.h - programs of the other host
 */
#ifndef DOTNET_H
#define DOTNET_H

#include <stdbool.h>

/* Does the file begin as those for .NET do? */
bool dotnet_is(const char *program);

/* Become the host for .NET programs, with the same command line. Returns if that
 * is not possible, after a line on stderr. */
void dotnet_become(const char *program, char **argv);

#endif /* DOTNET_H */
