/*
 * dotnet.h - programs for .NET, which cof-mono runs
 */
#pragma once

#include <stdbool.h>

/* By the file's first bytes. False too if it cannot be read. */
bool dotnet_is(const char *program);

/* Become cof-mono, with the whole command line. Returns only if that fails,
 * after a line on stderr about the program. */
void dotnet_execute(char **argv, const char *program);
